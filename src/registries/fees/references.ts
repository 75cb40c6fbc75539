import { foldWord } from './fold-word.ts'

/** What is looked at of a schedule's lines. */
interface Referring {
  readonly effective_from: string
  readonly effective_to: string | null
  readonly lines: readonly {
    readonly name: string
    readonly kind: string
    readonly of?: string | readonly string[]
    readonly multipliers: readonly { readonly values: Readonly<Record<string, string>> }[]
  }[]
}

interface Fault {
  readonly path: (string | number)[]
  readonly message: string
}

const referencesOf = ({ kind, of }: Referring['lines'][number]): readonly string[] =>
  kind === 'percent' && typeof of !== 'string' ? (of ?? []) : []

/** Names of the lines that a line is a percentage of, those in turn, and so on. */
function reachedFrom(lines: Referring['lines'], start: string): ReadonlySet<string> {
  const byName = new Map(lines.map(line => [line.name, line]))
  const reached = new Set<string>()
  const waiting = [start]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const line = byName.get(name)
    for (const next of line ? referencesOf(line) : []) {
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(next)
    }
  }
  return reached
}

/** Words of a multiplier that are compared as one, and would have two factors. */
function twofoldFactors({ multipliers }: Referring['lines'][number], path: readonly (string | number)[]): Fault[] {
  return multipliers.flatMap(({ values }, at) => {
    const words = Object.keys(values).map(foldWord)
    const twice = words.find((word, n) => words.indexOf(word) < n)
    return twice === undefined
      ? []
      : [{ path: [...path, 'multipliers', at, 'values'], message: `"${twice}" stands twice` }]
  })
}

/** What makes a schedule incomputable whatever the record: names twice, percentages of nothing or of themselves, no day in force. */
export function referenceFaults({ lines, effective_from: from, effective_to: to }: Referring): Fault[] {
  const faults: Fault[] = []
  const names = lines.map(line => line.name)
  for (const [at, line] of lines.entries()) {
    const path = ['lines', at]
    if (names.indexOf(line.name) < at) faults.push({ path: [...path, 'name'], message: `"${line.name}" stands twice` })
    const unknown = referencesOf(line).filter(name => !names.includes(name))
    if (unknown.length > 0) {
      faults.push({
        path: [...path, 'of'],
        message: `expected names of other lines; there is no ${unknown.join(', ')}`
      })
    }
    const twice = referencesOf(line).find((name, n, all) => all.indexOf(name) < n)
    if (twice !== undefined) faults.push({ path: [...path, 'of'], message: `"${twice}" stands twice` })
    if (reachedFrom(lines, line.name).has(line.name)) {
      faults.push({
        path: [...path, 'of'],
        message: `the line is a percentage of itself, by way of the lines it names`
      })
    }
  }
  for (const [at, line] of lines.entries()) faults.push(...twofoldFactors(line, ['lines', at]))
  if (to !== null && to <= from) faults.push({ path: ['effective_to'], message: 'expected a day after effective_from' })
  return faults
}
