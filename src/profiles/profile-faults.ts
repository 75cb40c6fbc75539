import { foldColumnName } from './fold-column-name.ts'
import { FIELD_TYPES, type FieldSpec, PII_CLASSES, type ProfileSpec } from './profile.ts'

/** Names go into SQL, JSON and URLs as they stand; 63 characters is what a Postgres identifier can hold. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/

/** A member every object has, the member canonical values keep unmapped content in, and the views' own columns. */
const RESERVED = new Set(['constructor', 'extra', 'jurisdiction', 'natural_key', 'version', 'record_id'])

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,10})?$/

const isName = (name: string): boolean => NAME.test(name) && !RESERVED.has(name)

function isKnown(list: readonly string[], word: string): boolean {
  return list.includes(word)
}

function constraintFaults(name: string, field: FieldSpec): string[] {
  const { min, max, maxLength, pattern } = field.constraints ?? {}
  const faults: string[] = []
  for (const limit of [min, max]) {
    if (limit !== undefined && !DECIMAL.test(limit)) faults.push(`field ${name}: a limit is not a decimal number`)
  }
  if (maxLength !== undefined && !(Number.isSafeInteger(maxLength) && maxLength > 0)) {
    faults.push(`field ${name}: maxLength is not a positive whole number`)
  }
  if (pattern !== undefined && (pattern.global || pattern.sticky)) {
    faults.push(`field ${name}: the pattern must not keep a position (flags g and y)`)
  }
  return faults
}

function mappingFaults(name: string, field: FieldSpec, spec: ProfileSpec): string[] {
  if (field.mapped === undefined) return []
  const target = spec.fields[field.mapped.field]
  if (target?.filledBy !== 'mapping' || target.type !== 'enum') {
    return [`field ${name}: it is mapped to ${field.mapped.field}, which is not an enum field filled by mapping`]
  }
  const options = target.options ?? []
  return Object.keys(field.mapped.values)
    .filter(value => !options.includes(value))
    .map(value => `field ${name}: ${value} is not an option of ${field.mapped?.field}`)
}

function itemFaults(name: string, field: FieldSpec): string[] {
  const faults: string[] = []
  if (field.item !== undefined && field.type !== 'list') faults.push(`field ${name}: only a list has items`)
  for (const [member, item] of Object.entries(field.item ?? {})) {
    if (!isName(member)) faults.push(`field ${name}: item member ${member} is not a safe name`)
    if (!isKnown(FIELD_TYPES, item.type) || isKnown(['list', 'enum'], item.type)) {
      faults.push(`field ${name}: item member ${member} has a type that items cannot have`)
    }
  }
  return faults
}

function fieldFaults(name: string, field: FieldSpec, spec: ProfileSpec): string[] {
  const faults: string[] = []
  if (!isName(name)) faults.push(`field ${name}: the name must match ${NAME.source} and not be reserved`)
  if (!isKnown(FIELD_TYPES, field.type)) faults.push(`field ${name}: unknown type`)
  if (!isKnown(PII_CLASSES, field.pii)) faults.push(`field ${name}: unknown PII class`)
  if (!field.title) faults.push(`field ${name}: it has no title`)
  if (field.type === 'enum' && !field.options?.length) faults.push(`field ${name}: an enum needs options`)
  if (field.required && field.filledBy && field.filledBy !== 'submission') {
    faults.push(`field ${name}: a required field must come from the submission`)
  }
  return [...faults, ...constraintFaults(name, field), ...mappingFaults(name, field, spec), ...itemFaults(name, field)]
}

function unknownFieldFaults(spec: ProfileSpec): string[] {
  const uses: [string, readonly string[]][] = [
    ['naturalKey', spec.naturalKey.flat()],
    ['requireOneOf', (spec.requireOneOf ?? []).flat()],
    ['jurisdictionField', spec.jurisdictionField === undefined ? [] : [spec.jurisdictionField]],
    ['compositions', (spec.compositions ?? []).map(composition => composition.field)],
    ['gate', Object.keys(spec.gate.fields ?? {})]
  ]
  return uses.flatMap(([place, names]) =>
    names.filter(name => !Object.hasOwn(spec.fields, name)).map(name => `${place}: there is no field ${name}`)
  )
}

function sharedColumnFaults(spec: ProfileSpec): string[] {
  const owners = new Map<string, string>()
  const faults: string[] = []
  for (const [name, field] of Object.entries(spec.fields)) {
    for (const column of new Set([name, ...(field.columns ?? [])].map(foldColumnName))) {
      const owner = owners.get(column)
      if (owner !== undefined) faults.push(`column ${column} belongs to both ${owner} and ${name}`)
      owners.set(column, name)
    }
  }
  return faults
}

function compositionFaults(spec: ProfileSpec): string[] {
  return (spec.compositions ?? []).flatMap(composition =>
    composition.needs
      .filter(part => !Object.hasOwn(composition.parts, part))
      .map(part => `composition ${composition.name}: there is no part ${part}`)
  )
}

function repeatedNames(kind: string, names: readonly string[]): string[] {
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  return [...repeated].map(name => `${kind} ${name} is defined twice`)
}

/** Everything wrong with a profile, as sentences that name the place; empty when it is sound. */
export function profileFaults(spec: ProfileSpec): string[] {
  const faults: string[] = []
  if (!isName(spec.name)) faults.push(`name: it must match ${NAME.source} and not be reserved`)
  if (!(Number.isSafeInteger(spec.version) && spec.version > 0))
    faults.push('version: it is not a positive whole number')
  if (spec.naturalKey.length === 0) faults.push('naturalKey: it names no field')
  const thresholds = [spec.gate.threshold, ...Object.values(spec.gate.fields ?? {})]
  if (thresholds.some(threshold => !(threshold >= 0 && threshold <= 1)))
    faults.push('gate: a threshold is not within 0 and 1')
  faults.push(
    ...repeatedNames(
      'rule',
      spec.rules.map(rule => rule.name)
    )
  )
  faults.push(
    ...repeatedNames(
      'composition',
      (spec.compositions ?? []).map(composition => composition.name)
    )
  )
  for (const [name, field] of Object.entries(spec.fields)) faults.push(...fieldFaults(name, field, spec))
  return [...faults, ...unknownFieldFaults(spec), ...sharedColumnFaults(spec), ...compositionFaults(spec)]
}
