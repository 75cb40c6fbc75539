import { plain } from '../amounts.ts'
import type { SampleBatch, SampleFile } from '../manifest.ts'
import { batchOf } from '../manifest.ts'
import type { Random } from '../random.ts'
import type { RowFault } from './delimited.ts'
import { BAD_BYTE, delimitedFile, rowsOf, withCells } from './delimited.ts'
import { BLDS, CITY, COOK, KING, LOS_ANGELES, SEMICOLON, WAKE } from './dialects.ts'
import type { JsonFault } from './json.ts'
import { jsonFile, membersOf, ndjsonFile, recordTexts } from './json.ts'
import { permitsOf } from './permit.ts'
import { archiveFile, workbookFile } from './workbook.ts'

interface Made {
  readonly batch: SampleBatch
  readonly files: readonly SampleFile[]
}

const made = (head: Parameters<typeof batchOf>[0], files: readonly SampleFile[]): Made => ({
  batch: batchOf(head, files),
  files
})

const held = (row: number, code: RowFault['code'], cells: RowFault['cells']): RowFault => ({
  row,
  state: 'quarantined',
  ...(code && { code }),
  ...(cells && { cells })
})

const KING_FAULTS: readonly RowFault[] = [
  held(12, 'FIELD_MISSING', { PIN: '' }),
  held(31, 'FIELD_MISSING', { EstProjectCost: '' }),
  held(57, 'INVALID_DATE', { IssuedDate: '2024-02-30' }),
  held(83, 'NEGATIVE_AMOUNT', { EstProjectCost: '-1250.00' }),
  held(104, 'ID_NUMERIC_COERCED', { PIN: '1.70312E+09' }),
  {
    ...held(140, 'COLUMN_COUNT_MISMATCH', { OriginalAddress1: '77 Quayside Blvd# Unit 4' }),
    line: line => line.replace('#', ',')
  },
  held(171, 'ENCODING_INVALID', { ContractorCompanyName: `Caf${BAD_BYTE} Noir Builders LLC` }),
  { row: 220, state: 'duplicate' }
]

/** A county's export under BLDS names, and a later export with some of its rows changed and some not. */
function king(random: Random): Made[] {
  const rows: (readonly string[])[] = rowsOf(BLDS, permitsOf(random, KING, 219))
  rows[65] = withCells(BLDS, rows[65] ?? [], { Description: 'Deck, 12 ft x 14 ft\r\nno electrical work, "as built"' })
  rows.push(rows[39] ?? [])
  const first = delimitedFile('permits/king-blds.csv', { dialect: BLDS, rows, faults: KING_FAULTS })
  const later = rows.slice(0, 10).map((row, index) => {
    const moved = { EstProjectCost: plain(9_876_500 + index), StatusCurrent: 'Completed' }
    return index < 6 ? withCells(BLDS, row, moved) : row
  })
  const repeats = [7, 8, 9, 10].map(row => ({ row, state: 'duplicate' as const }))
  const again = delimitedFile('permits/king-blds-later.csv', { dialect: BLDS, rows: later, faults: repeats })
  return [
    made({ name: 'permits-king', about: 'BLDS columns', profile: 'permit', jurisdiction: '53033' }, [first]),
    made(
      {
        name: 'permits-king-later',
        about: 'six rows changed since, four the same',
        profile: 'permit',
        jurisdiction: '53033',
        after: 'permits-king'
      },
      [again]
    )
  ]
}

const COOK_FAULTS: readonly RowFault[] = [
  held(18, 'INVALID_DATE', { application_start_date: '02/30/2024' }),
  held(44, 'NEGATIVE_AMOUNT', { reported_cost: '(1,250.00)' }),
  held(77, 'ID_NUMERIC_COERCED', { pin1: '1.70312E+13' })
]

/** A city portal's export with American dates that the column itself proves. */
function cook(random: Random): Made {
  const rows = rowsOf(CITY, permitsOf(random, COOK, 120))
  const file = delimitedFile('permits/cook-city.csv', { dialect: CITY, rows, faults: COOK_FAULTS })
  return made({ name: 'permits-cook', about: 'city portal columns', profile: 'permit', jurisdiction: '17031' }, [file])
}

const SEMICOLON_FAULTS: readonly RowFault[] = [
  held(7, 'FIELD_MISSING', { 'Permit Type': '' }),
  held(22, 'INVALID_DATE', { 'Application Date': '31.06.2024' }),
  held(39, undefined, { Valuation: 'see attached' })
]

/** A spreadsheet with semicolons, decimal commas and a line of totals. */
function semicolon(random: Random): Made {
  const office = { ...LOS_ANGELES, idOf: (n: number) => `24041-10000-${String(n).padStart(5, '0')}` }
  const rows = rowsOf(SEMICOLON, permitsOf(random, office, 60))
  const sheet = { dialect: SEMICOLON, rows, faults: SEMICOLON_FAULTS, trailer: 'Total: 60 permits' }
  const head = { name: 'permits-semicolon', about: 'semicolons and decimal commas', profile: 'permit' } as const
  return made({ ...head, jurisdiction: '06037' }, [delimitedFile('permits/los-angeles-semicolon.csv', sheet)])
}

const WAKE_FAULTS: readonly JsonFault[] = [
  { row: 9, state: 'quarantined', code: 'FIELD_MISSING', members: { submission_id: null } },
  {
    row: 27,
    state: 'quarantined',
    code: 'DUPLICATE_KEY',
    text: record => record.replace('{', '{"project_valuation":"1.00",')
  },
  { row: 45, state: 'quarantined', code: 'AMBIGUOUS_DATE', members: { applied_date: '04/05/2024' } },
  { row: 63, state: 'quarantined', code: 'INVALID_DATE', members: { issued_date: '2025-02-29' } },
  { row: 88, state: 'quarantined', code: 'NEGATIVE_AMOUNT', members: { project_valuation: '-300.00' } },
  {
    row: 101,
    state: 'quarantined',
    code: 'JSON_INVALID',
    text: record => record.replace(/"project_valuation":"[^"]*"/, '"project_valuation":NaN')
  },
  { row: 130, state: 'quarantined', code: 'JSON_INVALID', text: record => record.slice(0, 70) },
  { row: 150, state: 'duplicate' }
]

/** A portal's stream, one application a line; the last repeats the twentieth with its members in another order. */
function wake(random: Random): Made {
  const records = permitsOf(random, WAKE, 149).map(permit => membersOf(permit, '37183'))
  records.push(Object.fromEntries(Object.entries(records[19] ?? {}).toReversed()))
  const file = ndjsonFile('permits/wake-portal.ndjson', recordTexts(records, WAKE_FAULTS), WAKE_FAULTS)
  return made({ name: 'permits-wake', about: 'one object a line', profile: 'permit', jurisdiction: '37183' }, [file])
}

const LOS_ANGELES_FAULTS: readonly JsonFault[] = [
  { row: 14, state: 'quarantined', code: 'JURISDICTION_MISMATCH', members: { jurisdiction_fips: '06059' } },
  { row: 33, state: 'quarantined', code: 'FIELD_MISSING', members: { permit_type_code: null, parcel_id: null } },
  { row: 52, state: 'quarantined', code: 'TEXT_NOT_STORABLE', members: { work_description: 'Sign \uD800 panel' } },
  { row: 71, state: 'quarantined', members: { project_valuation: 'EUR 45.000,00' } }
]

/** One JSON object that holds all applications, each with its attachments. */
function losAngeles(random: Random): Made {
  const records = permitsOf(random, LOS_ANGELES, 80).map(permit => ({
    ...membersOf(permit, '06037'),
    attachments: [{ name: `${permit.id}-site-plan.pdf`, kind: 'site plan' }]
  }))
  const file = jsonFile('permits/los-angeles.json', recordTexts(records, LOS_ANGELES_FAULTS), LOS_ANGELES_FAULTS)
  const head = { name: 'permits-los-angeles', about: 'one JSON object', profile: 'permit' } as const
  return made({ ...head, jurisdiction: '06037' }, [file])
}

/** A good file sent together with an empty one and one that is no submission at all. */
function oddFiles(random: Random): Made {
  const office = { ...KING, idOf: (n: number) => `ADU25-${String(n).padStart(5, '0')}` }
  const rows = rowsOf(BLDS, permitsOf(random, office, 3))
  const good = delimitedFile('permits/king-three.csv', { dialect: BLDS, rows, faults: [] })
  const head = { name: 'permits-odd-files', about: 'a good file, an empty one and a voice message' }
  return made({ ...head, profile: 'permit', jurisdiction: '53033' }, [
    good,
    rejectedFile('permits/king-empty.csv', Buffer.alloc(0), 'FILE_EMPTY'),
    rejectedFile('permits/voice-message.wav', silence(), 'FILE_TYPE_UNSUPPORTED')
  ])
}

function rejectedFile(path: string, content: Buffer, code: 'FILE_EMPTY' | 'FILE_TYPE_UNSUPPORTED'): SampleFile {
  return { path, content, rows: 1, records: [{ file: path, state: 'rejected', code }] }
}

/** A tenth of a second of 8 kHz, 8 bit silence as WAVE. */
function silence(): Buffer {
  const samples = Buffer.alloc(800, 0x80)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const WORKBOOK_FAULTS: readonly RowFault[] = [
  held(6, 'FIELD_MISSING', { PIN: '' }),
  held(15, 'INVALID_DATE', { IssuedDate: '2024-02-30' }),
  held(24, 'NEGATIVE_AMOUNT', { EstProjectCost: '-1250' })
]

/** A workbook as it is kept at a desk: days and amounts are numbers, identifiers text. */
function workbook(random: Random): Made {
  const office = { ...KING, idOf: (n: number) => `DESK25-${String(n).padStart(5, '0')}` }
  const rows = rowsOf(BLDS, permitsOf(random, office, 30))
  const file = workbookFile('permits/king-desk.xlsx', { dialect: BLDS, rows, faults: WORKBOOK_FAULTS })
  return made({ name: 'permits-workbook', about: 'an Excel workbook', profile: 'permit', jurisdiction: '53033' }, [
    file
  ])
}

/** Two exports in folders of one ZIP. */
function archive(random: Random): Made {
  const office = { ...KING, idOf: (n: number) => `ZIP25-${String(n).padStart(5, '0')}` }
  const rows = rowsOf(BLDS, permitsOf(random, office, 24))
  const month = (path: string, from: number, to: number) =>
    delimitedFile(path, { dialect: BLDS, rows: rows.slice(from, to), faults: [] })
  const file = archiveFile('permits/king-months.zip', [
    month('may/permits.csv', 0, 10),
    month('june/permits.csv', 10, 24)
  ])
  return made({ name: 'permits-archive', about: 'a ZIP of two months', profile: 'permit', jurisdiction: '53033' }, [
    file
  ])
}

/** All permit batches, in the order in which they are sent. */
export function permitBatches(random: Random): Made[] {
  return [
    ...king(random),
    wake(random),
    losAngeles(random),
    cook(random),
    semicolon(random),
    oddFiles(random),
    workbook(random),
    archive(random)
  ]
}
