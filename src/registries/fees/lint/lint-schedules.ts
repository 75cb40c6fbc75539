import { foldWord } from '../fold-word.ts'
import { inputsOf } from '../inputs.ts'
import type { FeeSchedule } from '../schedule.ts'
import { lintBrackets } from './brackets.ts'
import type { Finding } from './finding.ts'

function lintFields(schedule: FeeSchedule, known: ReadonlySet<string>): Finding[] {
  const unknown = inputsOf(schedule).filter(name => !known.has(name))
  return unknown.map(name => ({
    schedule: schedule.id,
    kind: 'unknown_field',
    severity: 'error',
    text: `asks for ${name}, which is no field of a permit`
  }))
}

/** How two schedules for the same type, the earlier first, follow each other in time. */
function succession(earlier: FeeSchedule, later: FeeSchedule, type: string): Finding[] {
  const of = type === '' ? 'for every type' : `for ${type}`
  const { id: schedule, effective_from: from } = later
  if (earlier.effective_to === null || earlier.effective_to > from) {
    const text = `${of}: ${earlier.id} is still in force on ${from}, so that neither can be chosen`
    return [{ schedule, kind: 'dates_overlap', severity: 'error', text }]
  }
  if (earlier.effective_to === from) return []
  const text = `${of}: nothing is in force from ${earlier.effective_to}, where ${earlier.id} ends, until ${from}`
  return [{ schedule, kind: 'dates_gap', severity: 'note', text }]
}

/** Types of permit, folded, by which a schedule is chosen; '' stands for every type without one of its own. */
const typesOf = ({ permit_types: types }: FeeSchedule): string[] =>
  types === null ? [''] : [...new Set(types.map(foldWord))]

function lintDates(schedules: readonly FeeSchedule[]): Finding[] {
  const types = new Set(schedules.flatMap(typesOf))
  return [...types].flatMap(type => {
    const own = schedules.filter(schedule => typesOf(schedule).includes(type))
    const inOrder = own.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
    return inOrder.slice(1).flatMap((later, at) => {
      const earlier = inOrder[at]
      return earlier ? succession(earlier, later, type) : []
    })
  })
}

/**
 * What a person should look at in the schedules of one jurisdiction, all that stand beside each other. `knownFields` are
 * the fields a record can have.
 */
export function lintSchedules(schedules: readonly FeeSchedule[], knownFields: ReadonlySet<string>): Finding[] {
  const each = schedules.flatMap(schedule => [
    ...schedule.lines.flatMap(line => (line.kind === 'brackets' ? lintBrackets(schedule, line) : [])),
    ...lintFields(schedule, knownFields)
  ])
  return [...each, ...lintDates(schedules)]
}

/** Findings that need a signature and have none in the schedule they are about. */
export function unsigned(schedules: readonly FeeSchedule[], findings: readonly Finding[]): Finding[] {
  const signed = new Map(schedules.map(({ id, signed_off: signature }) => [id, new Set(signature?.findings)]))
  return findings.filter(({ schedule, severity, text }) => severity === 'sign_off' && !signed.get(schedule)?.has(text))
}

/** The schedules with all their findings signed off by somebody; those without such findings as they are. */
export function signOff(schedules: readonly FeeSchedule[], findings: readonly Finding[], by: string): FeeSchedule[] {
  const open = new Set(unsigned(schedules, findings).map(({ schedule }) => schedule))
  return schedules.map(schedule => {
    if (!open.has(schedule.id)) return schedule
    const own = findings.filter(finding => finding.schedule === schedule.id && finding.severity === 'sign_off')
    return { ...schedule, signed_off: { ...schedule.signed_off, by, findings: own.map(({ text }) => text) } }
  })
}
