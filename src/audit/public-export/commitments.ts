import { createHmac, hash } from 'node:crypto'
import { canonicalJson, type Json } from '../../model/json.ts'
import { merkleRoot } from '../merkle.ts'

/** Bytes of a field's salt. */
const SALT_BYTES = 16

/** What is committed to: one field of one record in one export. */
export interface Committed {
  readonly exportId: string
  readonly recordId: string
  readonly field: string
  readonly value: Json
}

/**
 * The salt of a field in an export, in hex: made of the record's own, so it is gone when that is destroyed, and tells
 * nothing of other fields or other exports.
 */
export const fieldSalt = (recordSalt: string, { exportId, field }: Pick<Committed, 'exportId' | 'field'>): string =>
  createHmac('sha256', Buffer.from(recordSalt, 'hex'))
    .update(`${exportId}\n${field}`)
    .digest()
    .subarray(0, SALT_BYTES)
    .toString('hex')

/** SHA-256 in hex over a field's salt in hex and the canonical text of what is committed to. */
export const fieldCommitment = (salt: string, { exportId, recordId, field, value }: Committed): string =>
  hash('sha256', salt + canonicalJson([exportId, recordId, field, value]), 'hex')

/** A field as it is released: with its value and salt, or withheld for its class, with its commitment alone. */
export type ReleasedField =
  | { readonly value: Json; readonly salt: string }
  | { readonly withheld: string; readonly commitment: string }

/** The root over the commitments of a record's fields in the order of their names, in hex. */
export function fieldsRoot(
  fields: Readonly<Record<string, ReleasedField>>,
  of: { exportId: string; recordId: string }
) {
  const names = Object.keys(fields).toSorted((a, b) => (a < b ? -1 : 1))
  const leaves = names.map(field => {
    const one = fields[field] as ReleasedField
    const told = 'salt' in one ? fieldCommitment(one.salt, { ...of, field, value: one.value }) : one.commitment
    return Buffer.from(told, 'hex')
  })
  return merkleRoot(leaves).toString('hex')
}

/** What is withheld although it has no class of its own: columns that fit no field. */
export const UNKNOWN_CLASS = 'unclassified'

/** A field of a record with the class that says whether it is shown. */
export interface ClassedField {
  readonly class: string
  readonly value: Json
}

/** The fields of a record as they are released to somebody who may see these classes. */
export function releaseFields(
  fields: Readonly<Record<string, ClassedField>>,
  of: { readonly exportId: string; readonly recordId: string; readonly salt: string },
  shown: ReadonlySet<string>
): Record<string, ReleasedField> {
  const { exportId, recordId } = of
  return Object.fromEntries(
    Object.entries(fields)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([field, one]) => {
        const salt = fieldSalt(of.salt, { exportId, field })
        if (shown.has(one.class)) return [field, { value: one.value, salt }]
        const commitment = fieldCommitment(salt, { exportId, recordId, field, value: one.value })
        return [field, { withheld: one.class, commitment }]
      })
  )
}
