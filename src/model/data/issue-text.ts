/** A fault of data, as checks of its shape tell it. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Faults told at once; more than these are counted only. */
const MAX_TOLD = 20

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')

/** A fault as `rules[0].id: what was expected there`; none of the data but names of members. */
export const issueText = ({ path, message }: Issue): string =>
  `${path.length === 0 ? 'the whole' : pathOf(path)}: ${message}`

/** The faults that are told, and one text of them. */
export function faultsTold(faults: readonly string[]): { readonly told: readonly string[]; readonly text: string } {
  const told = faults.slice(0, MAX_TOLD)
  const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : ''
  return { told, text: told.join('; ') + more }
}
