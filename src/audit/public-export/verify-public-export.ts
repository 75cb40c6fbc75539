import { createHash } from 'node:crypto'
import type { Json } from '../../model/json.ts'
import { judgeSignatures, readNote, type VerifierKey } from '../log/signing/signed-note.ts'
import { growTree } from '../log/tree/growing-tree.ts'
import { leafHash } from '../merkle.ts'
import { readLines, readObject } from '../outside/read-lines.ts'
import { fieldCommitment, fieldsRoot } from './commitments.ts'
import { PUBLIC_FORM, publicText, type ReleasedRecord } from './write-public-export.ts'

export interface PublicFault {
  readonly check: string
  readonly place: string
  readonly message: string
}

/** A field that was disclosed later. */
export interface Disclosure {
  readonly export: string
  readonly record: string
  readonly field: string
  readonly value: Json
  readonly salt: string
}

export interface PublicReport {
  readonly records: number
  readonly withheld: number
  /** Disclosures that are what was withheld. */
  readonly disclosed: number
  readonly faults: readonly PublicFault[]
}

/** Faults that are kept. */
const KEPT = 20

class Verification {
  readonly faults: PublicFault[] = []
  readonly tree = growTree()
  withheld = 0
  disclosed = 0
  private id = ''
  private jurisdiction = ''
  private part: 'head' | 'records' | 'signature' | 'end' = 'head'
  private lines = 0
  private readonly digest = createHash('sha256')
  private readonly keys: readonly VerifierKey[]
  private readonly open: Map<string, Disclosure[]>

  constructor(keys: readonly VerifierKey[], disclosures: readonly Disclosure[]) {
    this.keys = keys
    this.open = Map.groupBy(disclosures, one => one.record)
  }

  take(text: string): void {
    this.lines += 1
    const value = readObject(text)
    const place = `line ${this.lines}`
    if (!value || this.part === 'end') return this.report('export-form', place, 'does not belong here')
    if (this.part === 'signature') return this.takeSignature(value['signature'])
    this.digest.update(`${text}\n`)
    if (this.part === 'head') {
      const { form, export: id, jurisdiction } = value
      if (form !== PUBLIC_FORM || typeof id !== 'string' || typeof jurisdiction !== 'string') {
        this.report('export-form', place, 'is not the beginning of such an export')
      } else [this.id, this.jurisdiction] = [id, jurisdiction]
      this.part = 'records'
    } else if (typeof value['records'] === 'number') this.takeEnd(value['records'], value['root'])
    else if (typeof value['id'] === 'string' && value['fields'] instanceof Object) {
      this.takeRecord(value as unknown as ReleasedRecord, text)
    } else this.report('export-form', place, 'is no record')
  }

  end(): void {
    if (this.part !== 'end') this.report('export-form', `line ${this.lines + 1}`, 'the export is cut off')
    for (const one of [...this.open.values()].flat()) {
      this.report('disclosure', `record ${one.record}`, 'is not of this export')
    }
  }

  private report(check: string, place: string, message: string): void {
    if (this.faults.length < KEPT) this.faults.push({ check, place, message })
  }

  private takeRecord(record: ReleasedRecord, text: string): void {
    this.tree.append(leafHash(Buffer.from(`${text}\n`)))
    this.tree.takeTiles()
    const { id, fields, root } = record
    this.withheld += Object.values(fields).filter(field => 'withheld' in field).length
    if (root !== null && fieldsRoot(fields, { exportId: this.id, recordId: id }) !== root) {
      this.report('fields-root', `record ${id}`, 'its root is not that of its fields')
    }
    for (const one of this.open.get(id) ?? []) this.takeDisclosure(one, record)
    this.open.delete(id)
  }

  private takeDisclosure(one: Disclosure, record: ReleasedRecord): void {
    const released = record.fields[one.field]
    const told = fieldCommitment(one.salt, {
      exportId: this.id,
      recordId: one.record,
      field: one.field,
      value: one.value
    })
    const known =
      released === undefined
        ? undefined
        : 'commitment' in released
          ? released.commitment
          : fieldCommitment(released.salt, { ...one, exportId: this.id, recordId: one.record, value: released.value })
    if (one.export === this.id && told === known) this.disclosed += 1
    else this.report('disclosure', `record ${one.record}`, `the field ${one.field} is not what was withheld`)
  }

  private takeEnd(records: number, root: Json | undefined): void {
    if (records !== this.tree.size || root !== this.tree.root().toString('hex')) {
      this.report('records-root', 'records', `${this.tree.size} records have another root or number than it says`)
    }
    this.part = 'signature'
  }

  private takeSignature(note: Json | undefined): void {
    this.part = 'end'
    const signed = typeof note === 'string' ? note : ''
    const text = readNote(signed)?.text ?? ''
    const origin = text.slice(0, text.indexOf('\n'))
    if (!origin.endsWith(`/${this.jurisdiction}`) || text !== publicText(origin, this.id, this.digest.digest())) {
      return this.report('export-signature', 'signature', 'was made over another text: the export was altered')
    }
    if (judgeSignatures(signed, this.keys) !== 'valid') {
      this.report('export-signature', 'signature', 'is of none of the keys, or false')
    }
  }
}

/**
 * Verifies an export for a public-records request with public keys alone, and that fields disclosed later are what was
 * withheld in it. Throws when the file cannot be read.
 */
export async function verifyPublicExport(
  path: string,
  keys: readonly VerifierKey[],
  disclosures: readonly Disclosure[]
): Promise<PublicReport> {
  const verification = new Verification(keys, disclosures)
  for await (const text of readLines(path)) verification.take(text)
  verification.end()
  const { tree, withheld, disclosed, faults } = verification
  return { records: tree.size, withheld, disclosed, faults }
}
