import { add, compare, constant, exactText } from '../exact.ts'
import { bracketAmount } from '../line-amount.ts'
import type { BracketLine, FeeBracket, FeeSchedule } from '../schedule.ts'
import type { Finding } from './finding.ts'

type Make = (kind: Finding['kind'], severity: Finding['severity'], text: string) => Finding

/** What the fee is as soon as a bracket begins: a unit begun is charged at once. */
const justAbove = ({ base, rate, unit }: FeeBracket) =>
  unit === null ? constant(base) : add(constant(base), constant(rate))

/** How two neighbours meet in amount: what the next one prints as its base, against what the one before charges at its top. */
function jumps(below: FeeBracket, above: FeeBracket, top: string, make: Make): Finding[] {
  const implied = bracketAmount(below, constant(top))
  const printed = constant(above.base)
  if (compare(printed, implied) === 0) return []
  const amounts = `${exactText(printed, 2)} printed, ${exactText(implied, 2)} implied`
  const found = [make('discontinuity', 'sign_off', `at ${top}: ${amounts}`)]
  if (compare(justAbove(above), implied) < 0) {
    found.push(make('not_monotone', 'sign_off', `above ${top}: the fee falls from ${exactText(implied, 2)}`))
  }
  return found
}

function joint(below: FeeBracket, above: FeeBracket, make: Make): Finding[] {
  if (below.to === null) return [make('overlap', 'error', `over ${above.over}: the bracket before it has no end`)]
  const order = compare(constant(above.over), constant(below.to))
  if (order > 0) {
    const hint = 'write "over" as the end of the bracket before it'
    return [make('gap', 'error', `from ${below.to} to ${above.over}: nothing is charged; ${hint}`)]
  }
  if (order < 0) return [make('overlap', 'error', `from ${above.over} to ${below.to}: two brackets charge`)]
  return jumps(below, above, below.to, make)
}

function ends(brackets: readonly FeeBracket[], make: Make): Finding[] {
  const found: Finding[] = []
  const [first, last] = [brackets[0], brackets.at(-1)]
  if (first && compare(constant(first.over), constant('0')) > 0) {
    found.push(make('start', 'note', `up to ${first.over}: nothing is charged, and such records are held`))
  }
  if (last && last.to !== null) {
    found.push(make('end', 'note', `above ${last.to}: nothing is charged, and such records are held`))
  }
  return found
}

/** How the brackets of a line meet: gaps, overlaps, brackets without content, amounts that jump or fall. */
export function lintBrackets(schedule: FeeSchedule, { name, brackets }: BracketLine): Finding[] {
  const make: Make = (kind, severity, text) => ({ schedule: schedule.id, kind, severity, text: `${name} ${text}` })
  const empty = brackets
    .filter(({ over, to }) => to !== null && compare(constant(to), constant(over)) <= 0)
    .map(({ over, to }) => make('empty', 'error', `over ${over}: ends at ${to}, which is not above it`))
  if (empty.length > 0) return empty
  const joints = brackets.slice(1).flatMap((above, at) => {
    const below = brackets[at]
    return below ? joint(below, above, make) : []
  })
  return [...joints, ...ends(brackets, make)]
}
