import type { FeeLine, FeeSchedule } from './schedule.ts'

/** The fields of a record that a line looks at. */
function fieldsOf(line: FeeLine): string[] {
  const quantity = line.kind === 'brackets' || line.kind === 'per_unit' ? [line.of] : []
  return [...quantity, ...(line.when ? [line.when.field] : []), ...line.multipliers.map(({ field }) => field)]
}

const known = new WeakMap<FeeSchedule, readonly string[]>()

/** The names of the fields that a schedule asks a record for. */
export function inputsOf(schedule: FeeSchedule): readonly string[] {
  let names = known.get(schedule)
  if (names === undefined) {
    names = [...new Set(schedule.lines.flatMap(fieldsOf))]
    known.set(schedule, names)
  }
  return names
}
