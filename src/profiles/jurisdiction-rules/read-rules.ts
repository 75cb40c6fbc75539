import { AppError } from '../../errors.ts'
import { faultsTold, issueText } from '../../model/data/issue-text.ts'
import { PARCEL_SCHEMES } from '../../normalize/codes/parcel-schemes.ts'
import type { Profile } from '../profile.ts'
import { schemeOfRules } from './compile.ts'
import { wordOf } from './conditions.ts'
import { type RulesContent, RulesFile, type RuleVersion, type When } from './schema.ts'

function refused(faults: readonly string[]): AppError {
  const { told, text } = faultsTold(faults)
  return new AppError('RULES_INVALID', `The rules are not sound: ${text}.`, { details: { faults: told } })
}

type Named = readonly [path: string, name: string]

/** Every place of a version that names a field, with the name. */
function fieldsNamed(version: RuleVersion, at: string): Named[] {
  const entries = (
    [
      ['required', version.required],
      ['values', version.values],
      ['mappings', version.mappings],
      ['ranges', version.ranges],
      ['expiry', version.expiry]
    ] as const
  ).flatMap(([list, items]) => items.map(({ field }, n): Named => [`${at}.${list}[${n}].field`, field]))
  const clocks = version.clocks
    .map(({ from }, n): Named => [`${at}.clocks[${n}].from`, from])
    .filter(([, from]) => from !== 'received')
  return [...entries, ...clocks, ...conditionsNamed(version, at)]
}

function conditionsNamed(version: RuleVersion, at: string): Named[] {
  const lists: readonly (readonly [string, readonly { readonly when?: When }[]])[] = [
    ['required', version.required],
    ['values', version.values],
    ['ranges', version.ranges],
    ['zoning', version.zoning],
    ['expiry', version.expiry],
    ['clocks', version.clocks]
  ]
  return lists.flatMap(([list, items]) =>
    items.flatMap(({ when }, n): Named[] => (when ? [[`${at}.${list}[${n}].when.field`, when.field]] : []))
  )
}

const NUMBERS = ['money', 'integer', 'decimal']

function typeFaults(profile: Profile, version: RuleVersion, at: string): string[] {
  const typeOf = (name: string) => profile.fields[name]?.type
  const ranges = version.ranges.flatMap(({ field }, n) => {
    const type = typeOf(field)
    return type === undefined || NUMBERS.includes(type)
      ? []
      : [`${at}.ranges[${n}].field: expected a field that is a number; ${field} is of type ${type}`]
  })
  const days = [
    ...version.expiry.map(({ field }, n) => [`${at}.expiry[${n}].field`, field] as const),
    ...version.clocks.map(({ from }, n) => [`${at}.clocks[${n}].from`, from] as const)
  ].flatMap(([path, field]) => {
    const type = typeOf(field)
    return type === undefined || type === 'date' ? [] : [`${path}: expected a date; ${field} is of type ${type}`]
  })
  // A list is compared with nothing, so that such a rule would never hold.
  const lists = [
    ...version.values.map(({ field }, n) => [`${at}.values[${n}].field`, field] as const),
    ...conditionsNamed(version, at)
  ].flatMap(([path, field]) =>
    typeOf(field) === 'list' ? [`${path}: expected a field of one value; ${field} is a list`] : []
  )
  return [...ranges, ...days, ...lists]
}

function mappingFaults(profile: Profile, version: RuleVersion, at: string): string[] {
  const fields = version.mappings.map(({ field }) => field)
  return version.mappings.flatMap(({ field, values }, n) => {
    const path = `${at}.mappings[${n}]`
    const known = profile.fields[field]
    if (known === undefined) return []
    const companion = known.mapped ? profile.fields[known.mapped.field] : undefined
    if (companion === undefined) return [`${path}.field: expected a field with a vocabulary; ${field} has none`]
    const again =
      fields.indexOf(field) < n ? [`${path}.field: ${field} stands twice; put its words into one entry`] : []
    const options = companion.options ?? []
    const unknown = Object.keys(values).filter(value => !options.includes(value))
    return [
      ...again,
      ...unknown.map(value => `${path}.values: expected one of ${options.join(', ')}; there is no ${value}`),
      ...twofoldWords(values).map(word => `${path}.values: “${word}” stands for two values`)
    ]
  })
}

/** Words of an office that a mapping has for more than one value: which of them is meant is not guessed. */
function twofoldWords(values: Readonly<Record<string, readonly string[]>>): string[] {
  const meanings = new Map<string, Set<string>>()
  for (const [value, spellings] of Object.entries(values)) {
    for (const spelling of spellings) {
      const word = wordOf(spelling) ?? ''
      meanings.set(word, (meanings.get(word) ?? new Set()).add(value))
    }
  }
  return [...meanings].filter(([, meant]) => meant.size > 1).map(([word]) => word)
}

function versionFaults(profile: Profile, version: RuleVersion, at: string): string[] {
  const unknown = fieldsNamed(version, at)
    .filter(([, name]) => !Object.hasOwn(profile.fields, name))
    .map(([path, name]) => `${path}: expected a field of ${profile.name}; there is no ${name}`)
  const { effective_from: from, effective_to: to } = version
  const dates = to !== null && to <= from ? [`${at}.effective_to: expected a day after effective_from`] : []
  return [...unknown, ...dates, ...typeFaults(profile, version, at), ...mappingFaults(profile, version, at)]
}

function overlapFaults(versions: readonly RuleVersion[]): string[] {
  const inOrder = versions.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  return inOrder.slice(1).flatMap((later, at) => {
    const earlier = inOrder[at]
    const isOver =
      earlier !== undefined && earlier.effective_to !== null && earlier.effective_to <= later.effective_from
    return isOver
      ? []
      : [`rules: ${earlier?.id ?? ''} is still in force when ${later.id} begins; give it an effective_to`]
  })
}

function parcelFaults({ parcel }: RulesContent): string[] {
  if (!parcel) return []
  if ((parcel.scheme === undefined) === (parcel.mask === undefined)) return ['parcel: expected either scheme or mask']
  return schemeOfRules(parcel)
    ? []
    : [
        `parcel: expected the name of a known scheme (${[...PARCEL_SCHEMES.keys()].join(', ')}), or a mask of "#", "@", "?" and separators`
      ]
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * Reads the rules of a jurisdiction from the content of their file.
 * @throws AppError `RULES_INVALID` that names the path of everything wrong and what was expected there.
 */
export function readRules(content: unknown, profiles: ReadonlyMap<string, Profile>): RulesContent {
  const read = RulesFile.safeParse(content)
  if (!read.success) throw refused(read.error.issues.map(issueText))
  const rules = read.data
  const profile = profiles.get(rules.profile)
  if (!profile) throw refused([`profile: expected one of ${[...profiles.keys()].join(', ')}`])
  const zone = isTimeZone(rules.time_zone) ? [] : ['time_zone: expected a name such as America/Los_Angeles']
  const versions = rules.rules.flatMap((version, at) => versionFaults(profile, version, `rules[${at}]`))
  const faults = [...zone, ...parcelFaults(rules), ...versions, ...overlapFaults(rules.rules)]
  if (faults.length > 0) throw refused(faults)
  return rules
}
