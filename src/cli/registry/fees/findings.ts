import { permit } from '../../../profiles/permit/permit.ts'
import type { Finding } from '../../../registries/fees/lint/finding.ts'
import { lintSchedules, unsigned } from '../../../registries/fees/lint/lint-schedules.ts'
import type { FeeSchedule } from '../../../registries/fees/schedule.ts'

/** Fields that schedules may ask for: those of a permit that a submission or a mapping fills. */
const FIELDS: ReadonlySet<string> = new Set(
  Object.values(permit.fields)
    .filter(field => field.filledBy !== 'registry')
    .map(field => field.name)
)

export interface Checked {
  readonly findings: readonly Finding[]
  /** Findings that forbid loading: errors, and what nobody has signed off. */
  readonly open: readonly Finding[]
}

/** Looks all schedules of a jurisdiction over. */
export function check(schedules: readonly FeeSchedule[]): Checked {
  const findings = lintSchedules(schedules, FIELDS)
  const open = [...findings.filter(({ severity }) => severity === 'error'), ...unsigned(schedules, findings)]
  return { findings, open }
}

const LABELS = { error: 'error', sign_off: 'unsigned', note: 'note' } as const

/** A line for each finding: what it asks for, the schedule, and the text a signature names. */
export const findingLines = ({ findings, open }: Checked): string[] =>
  findings.map(finding => {
    const isSigned = finding.severity === 'sign_off' && !open.includes(finding)
    return `${isSigned ? 'signed' : LABELS[finding.severity]}  ${finding.schedule}  ${finding.kind}  ${finding.text}`
  })
