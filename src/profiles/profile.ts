import type { DocumentText } from '../model/document-text.ts'
import type { Fields, Origin } from '../model/envelope.ts'
import type { Json } from '../model/json.ts'
import type { Reading, ReadingContext } from '../model/reading.ts'
import type { Reason } from '../model/reasons.ts'

export const FIELD_TYPES = [
  'text',
  'identifier',
  'name',
  'address',
  'date',
  'money',
  'integer',
  'decimal',
  'boolean',
  'enum',
  'list'
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/**
 * How a value is to be protected. P0 public record, P1 business identity, P2 a natural person's identity or
 * contact, P3 sensitive identifier, P4 commercially confidential.
 */
export const PII_CLASSES = ['P0', 'P1', 'P2', 'P3', 'P4'] as const
export type PiiClass = (typeof PII_CLASSES)[number]

/** What a reader may lean on: how the text is to be read, and the jurisdiction of the record. */
export interface ReadContext extends ReadingContext {
  readonly jurisdiction: string
}

/** A field's own normalizer. Name and version stand for it in the manifest digest: raise the version with the code. */
export interface FieldReader {
  readonly name: string
  readonly version: number
  readonly read: (raw: string, context: ReadContext) => Reading
}

/** A text found in a document for one field, with its place. */
export interface FoundText {
  readonly raw: string
  readonly origin: Origin
}

/** Finds one field in the documents of one source or layout, where labels alone do not serve. */
export interface FieldFinder {
  readonly name: string
  readonly version: number
  /** The source it is meant for; absent: every source. */
  readonly source?: string
  readonly find: (document: DocumentText) => readonly FoundText[]
}

/** Limits of a normalized value. `min` and `max` are decimal strings, so that no limit passes through a float. */
export interface Constraints {
  /** In characters. */
  readonly maxLength?: number
  readonly pattern?: RegExp
  readonly min?: string
  readonly max?: string
  readonly nonNegative?: boolean
  /**
   * Of an identifier that holds a digit unless it is very short: a word belongs to a neighbour, as in a row that slid by one
   * column. Asked of data files only, not of people.
   */
  readonly numbered?: boolean
}

/** Reads a field's text into a companion field of a closed vocabulary. `values` names the spellings of each target. */
export interface EnumMapping {
  readonly field: string
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** A member of a list field's items. */
export interface ItemSpec {
  readonly type: Exclude<FieldType, 'list' | 'enum'>
  readonly title: string
  readonly required?: boolean
  /** Other names of the member in submitted data. */
  readonly columns?: readonly string[]
}

/** A field as a profile's author writes it. */
export interface FieldSpec {
  readonly type: FieldType
  readonly title: string
  readonly pii: PiiClass
  /** Without it no record of the profile is accepted. */
  readonly required?: boolean
  /** `registry` fields are filled by enrichment and never read from a submission. */
  readonly filledBy?: 'submission' | 'registry' | 'mapping'
  /** Of a field that a registry fills: which one usually does, by its name in origins, and the field whose value is the key. */
  readonly registry?: { readonly name: string; readonly keyField: string }
  /** Other names of its column or JSON member, the most telling first; its own name comes before all of them. */
  readonly columns?: readonly string[]
  /** Columns that stand in, in this order, when none of its own has a value; they may belong to another field too. */
  readonly fallbacks?: readonly string[]
  /**
   * Columns that may be it and may be other things too, such as `Value` or `Issued`. One is read only when all its cells
   * are of the field's type and nothing else claims the field; else it is suggested.
   */
  readonly hints?: readonly string[]
  /** Labels in documents. */
  readonly labels?: readonly string[]
  /** Labels that look alike and mean something else. */
  readonly notLabels?: readonly string[]
  /** Replaces the type's own normalizer. */
  readonly reader?: FieldReader
  readonly constraints?: Constraints
  /** How a two-digit year is read; default `past`. */
  readonly yearPivot?: 'past' | 'future'
  /** The values of an `enum` field. */
  readonly options?: readonly string[]
  /** The shape of a `list` field's items; absent: the items are texts. */
  readonly item?: Readonly<Record<string, ItemSpec>>
  readonly mapped?: EnumMapping
  readonly finders?: readonly FieldFinder[]
}

/** A field of a defined profile: every choice made. */
export interface Field extends FieldSpec {
  readonly name: string
  readonly required: boolean
  readonly filledBy: 'submission' | 'registry' | 'mapping'
  readonly columns: readonly string[]
  readonly fallbacks: readonly string[]
  readonly hints: readonly string[]
  readonly labels: readonly string[]
  readonly notLabels: readonly string[]
  readonly constraints: Constraints
  readonly yearPivot: 'past' | 'future'
}

/** Several columns that make one field, such as block and lot. Used when the field has no column of its own. */
export interface Composition {
  readonly name: string
  readonly version: number
  readonly field: string
  /** Part name → column names. */
  readonly parts: Readonly<Record<string, readonly string[]>>
  /** Parts without which nothing is composed. */
  readonly needs: readonly string[]
  /** Blank parts are left out of `parts`. Null: these parts do not make the field. */
  readonly compose: (parts: Readonly<Record<string, string>>) => { value: string; flags: readonly string[] } | null
}

/** What a rule looks at. */
export interface RuleView {
  readonly fields: Fields
  readonly today: string
  readonly jurisdiction: string
}

/** A check across fields: pure, never throws. Name, version and settings stand for it in the manifest digest. */
export interface Rule {
  readonly name: string
  readonly version: number
  readonly settings?: Json
  readonly check: (view: RuleView) => readonly Reason[]
  /**
   * Whether `check` surely finds nothing in a record of these values, all of them found; false proves nothing. It spares
   * the envelopes, so that a profile whose rules all have it reads clean data files several times faster.
   */
  readonly isMet?: (values: Readonly<Record<string, Json>>, context: Omit<RuleView, 'fields'>) => boolean
}

/** When a record without blocking reason may be accepted unseen. */
export interface Gate {
  /** Least confidence of the record, 0–1. */
  readonly threshold: number
  /** Least confidence of single fields, where it differs. */
  readonly fields?: Readonly<Record<string, number>>
}

/** A profile as its author writes it. */
export interface ProfileSpec {
  readonly name: string
  readonly version: number
  readonly title: string
  readonly fields: Readonly<Record<string, FieldSpec>>
  /** Field names; a list inside means the first of them that is present. */
  readonly naturalKey: readonly (string | readonly string[])[]
  /** Groups of fields of which at least one is required. */
  readonly requireOneOf?: readonly (readonly string[])[]
  /** The field that names the jurisdiction of a record and is taken from the batch when the record has none. */
  readonly jurisdictionField?: string
  readonly compositions?: readonly Composition[]
  readonly rules: readonly Rule[]
  readonly gate: Gate
}

/** A checked, frozen profile. `fields` keeps the author's order. */
export interface Profile extends ProfileSpec {
  readonly fields: Readonly<Record<string, Field>>
  readonly requireOneOf: readonly (readonly string[])[]
  readonly compositions: readonly Composition[]
}
