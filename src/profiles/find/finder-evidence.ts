import type { Reading } from '../../model/reading.ts'
import { readDate } from '../../normalize/date.ts'
import { readIdentifier } from '../../normalize/identifier.ts'
import { readMoney } from '../../normalize/money.ts'
import { readDecimal, readInteger } from '../../normalize/number.ts'
import { readText } from '../../normalize/text.ts'
import type { Field } from '../profile.ts'
import type { Evidence } from './evidence.ts'
import type { View } from './view.ts'

function readAs(field: Field, raw: string, view: View): Reading {
  const context = { ...view.context, yearPivot: field.yearPivot }
  switch (field.type) {
    case 'date':
      return readDate(raw, context)
    case 'money':
      return readMoney(raw, context)
    case 'integer':
      return readInteger(raw, context)
    case 'decimal':
      return readDecimal(raw, context)
    case 'identifier':
      return readIdentifier(raw, context)
    default:
      return readText(raw)
  }
}

/** What the finders a profile's author wrote for a layout or source offer; they know their documents, so they count as much as a label. */
export function finderEvidence(view: View, source: string | undefined): Evidence[] {
  return Object.values(view.profile.fields).flatMap(field =>
    (field.finders ?? [])
      .filter(finder => finder.source === undefined || finder.source === source)
      .flatMap(finder =>
        finder.find(view.document).map(({ raw, origin }) => {
          const reading = readAs(field, raw, view)
          const evidence: Evidence = {
            field: field.name,
            value: reading.value,
            raw,
            origin,
            status: reading.status,
            flags: reading.flags,
            score: 1,
            via: finder.name
          }
          return reading.readings ? { ...evidence, readings: reading.readings } : evidence
        })
      )
  )
}
