import type { ReadingContext } from '../../../model/reading.ts'
import type { Profile } from '../../profile.ts'
import type { SourceOptions } from '../../tabular/source-options.ts'
import type { LabelPhrase } from '../layout/labels.ts'

/**
 * What a source declares of its documents, out of the options saved for it. `columns` names its labels as it names the
 * headings of its files: label → field, or null for a label whose value is no field.
 */
export type Overrides = Pick<SourceOptions, 'columns' | 'dateOrder' | 'decimal' | 'currency'>

/** The labels a source has declared; they go before those of the profile. */
export function declaredLabels(profile: Profile, overrides: Overrides | undefined): LabelPhrase[] {
  return Object.entries(overrides?.columns ?? {}).flatMap(([phrase, field]) => {
    if (field !== null && !Object.hasOwn(profile.fields, field)) return []
    return [{ phrase, key: field ?? 'not', weight: 1 }]
  })
}

/** How a source has declared its dates and amounts to be written; what it says goes before what a document shows. */
export function declaredReading(overrides: Overrides | undefined): Partial<ReadingContext> {
  const { dateOrder, decimal, currency } = overrides ?? {}
  return {
    ...(dateOrder === undefined ? {} : { dateOrder, isOrderOfPlace: false }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(currency === undefined ? {} : { currency })
  }
}
