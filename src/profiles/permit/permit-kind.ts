import { type Reason, reasonOf } from '../../model/reasons.ts'
import { boundariesOf, holdsSeveral } from '../find/context/several-documents.ts'
import type { Evidence } from '../find/evidence.ts'
import { titleAt } from '../find/layout/titles.ts'
import type { View } from '../find/view.ts'

/** Titles of applications for a permit, and of permits. */
const TITLES =
  /\b(?:(?:building|construction|demolition|electrical|mechanical|plumbing|roof(?:ing)?|fence|grading|pool|sign|zoning|land use|development|right.of.way|encroachment|occupancy|septic|driveway|conditional use|special use|trade|residential|commercial) permit|permit (?:application|number|no\b|card|report)|(?:building|construction) application|application for (?:a |an )?(?:[a-z]+ ){0,3}permit|certificate of occupancy)\b/i
/** Titles of papers about a permit, and of records of other profiles. */
const OTHER_TITLES =
  /\b(?:invoice|receipt|billing statement|statement of account|purchase order|fee schedule|notice of violation|stop work|inspection (?:report|notice)|agenda|minutes|insurance|declarations?|lease|rental agreement|services? agreement|licen[sc]e agreement|rent roll|utility bill)\b/i
/** Titles stand among the first lines. */
const TITLE_LINES = 40
const ANCHORS = new Set([
  'submission_id',
  'permit_type_code',
  'parcel_id',
  'project_valuation',
  'work_description',
  'site_address',
  'applicant_name',
  'owner_name',
  'contractor_name',
  'applied_date',
  'issued_date'
])
/** At least one of these must be there: other papers name owners, addresses and dates too. */
const OWN = ['submission_id', 'permit_type_code', 'parcel_id', 'project_valuation']
/** Labelled fields that make a document a permit without a title, and with one. */
const ENOUGH_ANCHORS = 4
const ENOUGH_WITH_TITLE = 2

/** What one application states one way. */
const TELLING = {
  fields: ['submission_id', 'parcel_id', 'site_address', 'applicant_name', 'project_valuation', 'work_description'],
  own: ['submission_id', 'parcel_id', 'site_address']
}

/** The reason when a file seems to hold several applications that are not the rows of a listing. */
export function permitKind(view: View, evidence: readonly Evidence[]): Reason[] {
  const isTwo = holdsSeveral(evidence, boundariesOf(view.sheet.segments, TITLES), TELLING)
  return isTwo ? [reasonOf('MULTI_DOC_SUSPECTED')] : []
}

/** True when a document is no permit and no application for one. */
export function isNoPermit(view: View): boolean {
  const keys = new Set(view.labels.hits.map(hit => hit.key).filter(key => ANCHORS.has(key)))
  const anchors = OWN.some(key => keys.has(key)) ? keys.size : 0
  const title = titleAt(view, TITLES, TITLE_LINES)
  const isPermit = anchors >= ENOUGH_ANCHORS || (title < TITLE_LINES && anchors >= ENOUGH_WITH_TITLE)
  return !isPermit || titleAt(view, OTHER_TITLES, TITLE_LINES) < title
}
