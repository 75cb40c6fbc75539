type DateField = 'lease_start' | 'lease_end' | 'execution_date'

/** Words around a date that say which date of a lease it is. */
export interface Cue {
  readonly field: DateField
  readonly score: number
  /** Must match the end of the words before the date. */
  readonly before?: RegExp
  /** Must match the start of the words after the date. */
  readonly after?: RegExp
}

const GAP = '(?: (?:[ap]\\.m\\.|[a-z0-9:’\'"()-]+)){0,6}[ ,:(]*$'

/** One character of a sentence; the full stop of an initial or a short form does not end it. */
export const WITHIN = '(?:[^.;]|(?<=\\b(?:[a-z]|st|ave|blvd|rd|dr|ln|inc|co|corp|ltd|llc|no))\\.)'

/** Words around a date that say what it is, surest first. */
export const CUES: readonly Cue[] = [
  {
    field: 'lease_start',
    score: 0.96,
    after: /^[ ,)]*\((?:the |hereinafter )?["'“‘]{0,2}(?:lease |term )?(?:commencement|start|beginning) date/i
  },
  {
    field: 'lease_end',
    score: 0.96,
    after: /^[ ,)]*\((?:the |hereinafter )?["'“‘]{0,2}(?:lease |term )?(?:expiration|termination|end|expiry) date/i
  },
  {
    field: 'execution_date',
    score: 0.9,
    after: /^[ ,)]*\((?:the |hereinafter )?["'“‘]{0,2}(?:effective|execution|lease) date/i
  },
  {
    field: 'lease_start',
    score: 0.95,
    before: /["“'](?:lease |term )?commencement date["”'] (?:means|shall mean|shall be|is)[^.]{0,120}$/i
  },
  {
    field: 'lease_end',
    score: 0.95,
    before: /["“'](?:lease |term )?(?:expiration|termination) date["”'] (?:means|shall mean|shall be|is)[^.]{0,120}$/i
  },
  {
    field: 'lease_start',
    score: 0.9,
    before:
      /(?<!\b(?:rent|target|estimated|anticipated|scheduled|renewal|option|extension) )\b(?:lease |term )?(?:commencement|start(?:ing)?|beginning) date(?: \([^)]{0,20}\))?: ?$/i
  },
  {
    field: 'lease_start',
    score: 0.9,
    before:
      /(?<!\b(?:rent|target|estimated|anticipated|scheduled|renewal|option|extension) )\bcommencement date (?:of (?:the|this) (?:lease|term|sublease) )?(?:is|was|shall be|will be|occurred on|has been set as)(?: hereby)?(?: on)? ?[:;]? ?$/i
  },
  {
    field: 'lease_end',
    score: 0.9,
    before:
      /(?<!\b(?:rent|original|prior|previous|current|existing|renewal|option|extension) )\b(?:expiration|termination) date (?:of (?:the|this) (?:lease|term|sublease) )?(?:is|shall be|will be|occurs on|has been set as)(?: hereby)?(?: on)? ?[:;]? ?$/i
  },
  {
    field: 'lease_end',
    score: 0.9,
    before:
      /(?<!\b(?:rent|original|prior|previous|current|existing|renewal|option|extension) )\b(?:lease |term )?(?:expiration|end(?:ing)?|termination) date(?: \([^)]{0,20}\))?: ?$/i
  },
  {
    field: 'execution_date',
    score: 0.85,
    before:
      /\b(?:made|entered into|dated|executed|effective)(?: and entered into)?(?: as of| on| this)?(?: the)?[ ,]*$/i
  },
  {
    field: 'lease_start',
    score: 0.86,
    before: new RegExp(
      `\\b(?:term|lease|tenancy|premises|(?:rental|lease|fixed|initial|contract) period|occupancy|extension|have and to hold)\\b[^.;]{0,110}\\b(?:commenc(?:e|es|ing)|begin(?:s|ning)?|start(?:s|ing)?|initiate)${GAP}`,
      'i'
    )
  },
  {
    field: 'lease_start',
    score: 0.86,
    before: new RegExp(
      `\\b(?:term|sublease|lease|leases|tenancy|premises|house|apartment|dwelling|shop|store)\\b${WITHIN}{0,200}\\bfrom (?:and including )?(?:the )?$`,
      'i'
    )
  },
  {
    field: 'lease_start',
    score: 0.86,
    before:
      /\b(?:term|lease) (?:is|of|shall be|will be) [^.;]{3,50}\. (?:it|the term|the lease|this lease) (?:will )?(?:starts?|begins?|commences?)(?: on)? $/i
  },
  {
    field: 'lease_start',
    score: 0.86,
    before:
      /\bfor (?:an? |the )?(?:term |period )?(?:of )?(?:[a-z-]+ ?)?\(?\d{0,3}\)? ?(?:years?|months?),? (?:beginning|commencing|starting)(?: on| from)?(?: the)? $/i
  },
  {
    field: 'lease_start',
    score: 0.88,
    before:
      /\b(?:term|lease)\b[^.;]{0,60}\b(?:extended|renewed)(?: hereby)? for (?:the|an?)(?: additional| further)? (?:period|term)(?: of [^.;]{3,50}?)?(?:,? (?:from|of|commencing(?: on)?|beginning(?: on)?))? $/i
  },
  {
    field: 'lease_end',
    score: 0.88,
    before:
      /\bterm\b[^.;]{0,100}\b(?:extended|renewed) (?:(?:for [^.;]{3,60}? )?(?:to|through|until)|to and including)(?: and including)? $/i
  },
  {
    field: 'lease_start',
    score: 0.86,
    before: /\bto (?:have and to )?hold\b[^.;]{0,140}\bfrom (?:and including )?(?:the )?$/i
  },
  {
    field: 'lease_end',
    score: 0.86,
    before:
      /\b(?:starts?|begins?|commences?|beginning|commencing)\b[^.;]{0,60}\b(?:runs?|lasts?|goes|continues|ends?) (?:through|until|to|on) $/i
  },
  {
    field: 'lease_end',
    score: 0.86,
    before: new RegExp(
      `\\b(?:term|lease|tenancy|premises|beginning|commencing)\\b[^.;]{0,150}\\b(?:end(?:s|ing)?(?: date)?|terminat(?:e|es|ing)|expir(?:e|es|ing)|conclude|continu(?:e|es|ing) (?:in (?:full )?(?:force|effect) )?(?:through|until))${GAP}`,
      'i'
    )
  },
  {
    field: 'lease_end',
    score: 0.7,
    before: new RegExp(
      `\\b(?:end(?:s|ing)?(?: date)?|terminat(?:e|es|ing)|expir(?:e|es|ing)|conclude|continu(?:e|es|ing) (?:in (?:full )?(?:force|effect) )?(?:through|until))${GAP}`,
      'i'
    )
  }
]
