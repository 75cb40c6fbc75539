import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { openZipSource } from '../../../src/media/zip-source.ts'
import type { RawRow } from '../../../src/model/rows.ts'
import type { FormatDecision } from '../../../src/tabular/format.ts'
import { unpackSheet } from '../../../src/tabular/xlsx/unpack-sheet.ts'
import { knownColumn, splitAll } from '../read-all.ts'
import { type MadeWorkbook, makeWorkbook } from './make-workbook.ts'

const LIMITS = { bytes: 100e6, entries: 100, ratio: 200 }

export interface Unpacked {
  readonly decision: FormatDecision
  readonly bytes: Buffer
}

/** Unpacks a workbook in memory. */
export async function unpack(file: Buffer | MadeWorkbook, sheet?: string): Promise<Unpacked> {
  const bytes = Buffer.isBuffer(file) ? file : makeWorkbook(file)
  const zip = await openZipSource(
    async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
    bytes.length,
    LIMITS
  )
  const pieces: Buffer[] = []
  try {
    const stringsPath = join(tmpdir(), `docket-texts-${process.pid}-${Math.random()}`)
    const options = { stringsPath, knownColumn, ...(sheet === undefined ? {} : { sheet }) }
    const decision = await unpackSheet(zip, options, async piece => void pieces.push(piece))
    return { decision, bytes: Buffer.concat(pieces) }
  } finally {
    zip.close()
  }
}

/** The rows of a workbook's sheet. */
export async function rowsOf(t: Test, file: Buffer | MadeWorkbook, sheet?: string): Promise<RawRow[]> {
  const { decision, bytes } = await unpack(file, sheet)
  if (!decision.ok) {
    t.fail(`not read: ${decision.fault.code} ${decision.fault.detail ?? ''}`)
    return []
  }
  return (await splitAll(bytes, decision.format)).rows
}
