import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldShort, naturalKeyPart } from '../text.ts'

/** BLDS `StatusCurrentMapped`, with the words cities use for each. */
const STATUSES = [
  [
    'Application Accepted',
    ['application accepted', 'filed', 'submitted', 'received', 'intake', 'pending', 'in completeness check']
  ],
  ['Fees/Payment', ['fees/payment', 'fees due', 'awaiting payment', 'ready for issuance']],
  [
    'In Review',
    [
      'in review',
      'reviews in process',
      'plan check',
      'corrections required',
      'awaiting information',
      'additional info requested',
      'reviews completed'
    ]
  ],
  ['Permit Issued', ['permit issued', 'issued', 'permit entire', 'reissued', 'active']],
  ['Inspection Phase', ['inspection phase', 'inspections', 'scheduled']],
  [
    'Permit Finaled',
    ['permit finaled', 'completed', 'complete', 'finaled', 'final', 'closed', 'inspections completed']
  ],
  [
    'Permit Finaled with Conditions',
    ['permit finaled with conditions', 'tco', 'temporary co', 'finaled with conditions']
  ],
  ['Occupancy', ['occupancy', 'certificate of occupancy', 'co issued', 'signed-off']],
  ['Appeal', ['appeal', 'under appeal']],
  [
    'Permit Cancelled',
    ['permit cancelled', 'canceled', 'cancelled', 'void', 'withdrawn', 'expired', 'revoked', 'denied', 'abandoned']
  ]
] as const

export type PermitStatus = (typeof STATUSES)[number][0]

const STATUS_BY_WORDS: ReadonlyMap<string, PermitStatus> = new Map(
  STATUSES.flatMap(([status, words]) => words.map(word => [word, status] as const))
)

/** The BLDS status of an office's own word; invalid `UNMAPPED_ENUM` when the table has no entry. */
export function mapPermitStatus(raw: string): Reading<PermitStatus> {
  const words = naturalKeyPart(foldShort(raw, 200))
  const status = STATUS_BY_WORDS.get(words)
  if (status) return found(status)
  return readAbsence(words) ?? invalid(['UNMAPPED_ENUM'])
}
