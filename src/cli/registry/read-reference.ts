import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { LoadedKind, ReferenceRow } from '../../db/registries/load-table.ts'
import { AppError } from '../../errors.ts'
import type { RawRow } from '../../model/rows.ts'
import { detectFormat } from '../../tabular/detect-format.ts'
import type { TabularFormat } from '../../tabular/format.ts'
import { readRows } from '../../tabular/split-file.ts'
import { encodingByHead } from '../../tabular/text/detect-encoding.ts'
import { EncodingSurvey } from '../../tabular/text/survey.ts'
import { type CheckedRow, checkRow, namesOf } from './read-cells.ts'
import { type ColumnNames, findColumns, isKnownName, REFERENCE_COLUMNS } from './reference-columns.ts'

export interface ReferenceFile {
  readonly kind: LoadedKind
  readonly path: string
  readonly mapping: ColumnNames
}

const HEAD_BYTES = 1_048_576
/** A feature with a long boundary is larger than any record that is submitted. */
const RECORD_BYTES = 64 * 1024 * 1024
const MAX_FAULTS = 20
/** Sets of member names remembered, of a file whose values have many. */
const MAX_SHAPES = 1000

async function readHead(path: string): Promise<{ head: Buffer; whole: boolean }> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('CONFIG_INVALID', `The file cannot be opened (${error.code}): ${path}`)
  })
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return { head: head.subarray(0, bytesRead), whole: bytesRead < HEAD_BYTES }
  } finally {
    await file.close()
  }
}

/** An accent in the last row tells the encoding of a file as one in the first does. */
async function survey(path: string, head: Buffer): Promise<EncodingSurvey | undefined> {
  if (encodingByHead(head) !== null) return undefined
  const all = new EncodingSurvey()
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) all.add(bytes)
  all.add(Buffer.alloc(0), true)
  return all
}

async function formatOf({ kind, path, mapping }: ReferenceFile): Promise<TabularFormat> {
  const { head, whole } = await readHead(path)
  const surveyed = whole ? undefined : await survey(path, head)
  const decision = detectFormat(head, {
    whole,
    ...(surveyed ? { survey: surveyed } : {}),
    knownColumn: name => isKnownName(kind, mapping, name)
  })
  if (!decision.ok) {
    const { code, detail } = decision.fault
    throw new AppError('REFERENCE_INVALID', `The file cannot be read: ${code}${detail ? ` (${detail})` : ''}.`)
  }
  return { ...decision.format, recordBytes: RECORD_BYTES }
}

/** Faults of a file, the first few in full. */
class Faults {
  readonly #told: string[] = []
  #count = 0

  add(line: number, fault: string): void {
    this.#count += 1
    if (this.#told.length < MAX_FAULTS) this.#told.push(`line ${line}: ${fault}`)
  }

  /** Throws `REFERENCE_INVALID` when there are any. */
  check(): void {
    if (this.#count === 0) return
    const more = this.#count > this.#told.length ? `\n  and ${this.#count - this.#told.length} more` : ''
    throw new AppError(
      'REFERENCE_INVALID',
      `Nothing was loaded: ${this.#count} rows of the file are not right.\n  ${this.#told.join('\n  ')}${more}`
    )
  }
}

type Found = ReturnType<typeof findColumns>

/** The columns of a whole file. Throws `REFERENCE_INVALID` when they do not fit. */
function columnsOf({ kind }: ReferenceFile, { columns, faults }: Found): ColumnNames {
  const missing = REFERENCE_COLUMNS[kind].filter(({ name, required }) => required && !columns.has(name))
  const all = [
    ...faults,
    ...missing.map(
      ({ name, aliases }) => `no column is called ${[name, ...aliases].join(', ')}: say which with --map ${name}=NAME`
    )
  ]
  if (all.length > 0)
    throw new AppError('REFERENCE_INVALID', `The columns of the file do not fit:\n  ${all.join('\n  ')}`)
  return columns
}

type Check = (raw: RawRow) => CheckedRow

/** Rows of a table have the columns of its header; each value of a JSON file has members of its own. */
function checkerOf(file: ReferenceFile, format: TabularFormat): Check {
  const { kind, mapping } = file
  if (format.kind !== 'json') {
    const columns = columnsOf(file, findColumns(kind, mapping, format.columns))
    return raw => checkRow(kind, columns, raw)
  }
  const known = new Map<string, Found>()
  return raw => {
    const names = namesOf(raw)
    const key = JSON.stringify(names)
    const found = known.get(key) ?? findColumns(kind, mapping, names)
    if (known.size === 0 && !raw.fault) columnsOf(file, found)
    if (known.size < MAX_SHAPES) known.set(key, found)
    // A member that the mapping names and that a value leaves out is empty there.
    const fault = found.faults.find(each => each.includes(' both mean '))
    return fault === undefined ? checkRow(kind, found.columns, raw) : { ok: false, fault }
  }
}

/**
 * Rows of a delimited, JSON, JSON Lines or GeoJSON file, some at a time; memory does not grow with the file. Reads it to its
 * end whatever is wrong, and throws `REFERENCE_INVALID` with the lines of the first faulty rows then: a caller keeps nothing
 * of a file until this has ended.
 */
export async function* readReference(file: ReferenceFile): AsyncGenerator<readonly ReferenceRow[]> {
  const format = await formatOf(file)
  const source = createReadStream(file.path, { start: format.dataOffset })
  const faults = new Faults()
  const check = checkerOf(file, format)
  let count = 0
  const start = { row: 1, line: format.dataLine, records: Number.POSITIVE_INFINITY }
  for await (const rows of readRows(source as AsyncIterable<Buffer>, format, start)) {
    const good: ReferenceRow[] = []
    for (const raw of rows) {
      count += 1
      const checked = check(raw)
      if (checked.ok) good.push(checked.row)
      else faults.add(raw.line, checked.fault)
    }
    yield good
  }
  if (count === 0) throw new AppError('REFERENCE_INVALID', 'The file holds no rows. Nothing was loaded.')
  faults.check()
}
