/** `The Tenant will pay $900 each month`: what a tenant pays every month is the rent, unless it is said to be for something. */
export const PAYS =
  /\b(?:tenant|lessee|resident|renter|sub-?tenant|sub-?lessee)s?,? (?:(?:will|shall|must|agrees? to) pay|pays) (?:(?:to )?(?:the )?(?:landlord|lessor|owner|sub-?landlord|sub-?lessor) )?(?:the (?:sum|amount) of )?$/i
export const FOR_OTHERS =
  /^[^.;]{0,60}\b(?:for|as|toward) (?:the )?(?:parking|utilit|water|trash|pet|storage|cam|common|tax|insurance|electric|gas|sewer|internet|late)/i
/** `ANNUAL FIXED RENT RATE: ` before an amount, whatever the words behind it say of the next one. */
export const OF_YEAR = /\b(?:annual|yearly)\b[^.;]{0,40}: ?$/i
export const IN_RENT = /^ (?:in|as|of) rent (?:each|every|per|a) (?:calendar )?month\b/i
/** `BASE RENT: ` right before an amount says what it is, whatever the sentence before spoke of. */
export const CALLED_RENT = /\b(?:base|basic|monthly|minimum|fixed) rent(?:al)?: ?$/i
export const MONTH_AROUND =
  /\b(?:monthly|each month|per month|every month|each (?:and every )?(?:calendar )?month|per installment)\b/i
export const OTHER_AMOUNT =
  /\b(?:late|deposits?|deposited|fees?|charges?|tax(?:es)?|security|prorat\w*|penalty|insurance|option|renewal|increas\w*|escalat\w*|hold(?:s|ing)? ?over|cam|common area|operating|estimate\w*|credit|reduc\w*|decreas\w*|discount\w*|refund\w*|costs?|abate\w*|utilit\w*|parking|pet|trash|water|sewer|electricity|internet|cable|laundry|pest|guest|amenity|furniture|value|consideration|total rent|first month|last month|allowance|liability|not (?:to )?exceed|minimum of|additional|market|interest|liquidated|thereafter|holdover|double|percentage rent|percent of|gross sales|gross receipts|in excess of|over|breakpoint|one-? ?half of|half of)\b[^.;]{0,50}$/i
/** `Tenant's share of the rent, $600.00 per month`: what one of several pays, not what the lease asks for. */
export const SHARE_OF_RENT =
  /\b(?:share|portion|part|half|percentage) of (?:the |said |such |this |that )?(?:(?:base|basic|total|whole|full|monthly|fixed|minimum) ){0,2}(?:rent|rental)\b[^.;]{0,60}$/i
export const RENT_BEFORE =
  /\b(?:rent|rental|rented|rents to|yielding and paying|installments?|instalments?|payments? of)\b/i
export const YEAR_AROUND = /\b(?:in each (?:and every )?year|annual|annually|per annum|per year|yearly|a year)\b/i
/** `CAM = $15,633.95 annually and $1,302.83 monthly`: a line that begins with what its amounts are for. */
export const OTHER_LINE =
  /^(?:\(?[a-z\d.]{1,5}[.)] +)?(?:estimated |monthly |initial )?(?:cam|utilit|hvac|parking|storage|taxes|insurance|operating|common area|late|pet|trash|water|security|deposit|nnn|additional)[^:=$]{0,40}[:=] /i
/** A rent of another time: of an option to go on, or of the lease before. */
export const OTHER_TIME =
  /\b(?:extend\w*|extension|renew\w*|option|prior|previous|former|expiring) (?:[a-z]+ ){0,2}?(?:lease|term|period|tenancy|agreement|rent)\b[^.;]{0,140}$/i
/** A rent of another lease: that of the landlord's own landlord. */
export const OTHER_LEASE_BEFORE =
  /\b(?:(?:prime|master|head|over|underlying) ?lease|(?:rent|rental|installments?) (?:payable |due )?under the (?:original|existing|prior|current|present|previous|old) (?:lease|agreement))\b(?:[^.;]|\.(?=\d)){0,200}$/i
/** A rent that was, before the document or until it. */
export const BYGONE =
  /\bsub(?:lessor|landlord) pays\b[^.;]{0,40}$|\b(?:until then|until that (?:date|time)|before then|before that)\b[^.;]{0,60}$|\b(?:rent|rental|installments?)\b[^.;]{0,80}\b(?:was|were|had been|previously|currently|presently)(?: [a-z]+){0,3} (?:the (?:sum|amount) of )?$/i
/** In an amendment the term that is extended or renewed is its own, but for what may be chosen later. */
export const ITS_OWN = / (?:extended|extension|renewal|renewed) (?=(?:lease )?(?:term|period)\b)/gi
/** The term an amendment speaks of is the extended one: its rent is what is asked for. */
export const OWN_TERM =
  /\b(?:during|for|throughout|of) the (?:first |second )?(?:extended|extension|renewal|renewed|new) (?:lease )?(?:term|period)\b/gi
/** `in place of $900.00`: the rent that was. */
export const IN_PLACE_OF =
  /\b(?:in place of|instead of|in lieu of|rather than|up from|replaces|replacing) (?:[a-z]+ ){0,5}$/i
/** `pay as rent, in advance on the first day of each month, …`: an amount that is due every month. */
export const DUE_MONTHLY =
  /\brent(?:al)?\b[^.;$]{0,110}\b(?:first|1st|\d{1,2}th)(?: \([a-z\d]{1,6}\))? (?:business )?day of (?:each|every)(?: and every)? (?:calendar |succeeding )?month\b[^.;$]{0,70}$/i
/** `, due on the first day of each month` behind an amount; what is due in instalments is the sum of them. */
export const DUE_EACH_MONTH =
  /^[,)]{0,2} ?(?:(?:to be|which (?:is|shall be)|shall be) )?(?:paid|due|payable)(?![^.;$]{0,60}\binstal+ments?\b)[^.;$]{0,60}\b(?:day of |in advance )?(?:each|every)(?: and every)? (?:calendar )?month\b/i
/** `by equal payments of` before an amount and `on the first day of each month` behind it. */
export const PARTS_OF =
  /\b(?:equal|monthly|consecutive) (?:monthly )?(?:payments?|installments?|instalments?|sums|portions|parts) of $/i
export const ON_DAY =
  /^[,)]{0,2} ?(?:each,? )?(?:in advance,? )?on (?:or before )?the [a-z\d() ]{2,16} day of (?:each|every)(?: and every)? (?:calendar )?month\b/i
export const HOLDING_OVER = /\bhold(?:s|ing)?[ -]?over\b[^.;]{0,200}$/i
/** Words behind an amount that make it no rent of this lease: another lease's, a fee, or with electricity a rate of a square foot. */
export const NOT_THIS_RENT =
  /^ ?(?:late|pet|application|admin\w*|processing|cleaning|returned|nsf|parking|key|move-?in|holding|re-?letting|storage) (?:[a-z]+ ){0,2}(?:fee|charge|penalty|deposit)\b|^ ?\+ ?E\b|^[^.;]{0,30}\b(?:under|pursuant to|required by) the (?:prime|master|head|over|original|ground|existing) ?lease\b/i
export const STEP =
  /\b(?:lease )?year (?:\d{1,2}|one|two|three|four|five)\b[^;$]{0,30}$|\b(?:from|beginning|commencing)\b[^;]{0,40}\b(?:through|to|until|and ending)\b[^;$]{0,40}$|\bmonths? \d{1,3} ?(?:-|–|through|to) ?\d{1,3}[^$]{0,40}$|\d \d{1,3}(?:\/\d{1,2}\/\d{2,4})? to [\d/]{6,10}[^$]{0,20}$|\d\/\d{1,2}\/\d{2,4} ?[-–—] ?\d{1,2}\/\d{1,2}\/\d{2,4}[^$\d]{0,20}$/i
/** `$9,000.00 per month from July 1, 2024`: steps told behind their amounts. */
export const STEP_AFTER =
  /^(?:,? (?:per|a|each) (?:month|annum|year))?\)?,? (?:from|for) (?:and including )?(?:the (?:[a-z]+ ){0,2}commencement date|[a-z]{3,9} \d{1,2}, \d{4}|(?:lease )?(?:years?|months?) )/i
/** `for the second year`: never the first. */
export const LATER_AFTER =
  /^(?:,? (?:per|a|each) (?:month|annum|year))?\)?,? (?:for|during|in) (?:the )?(?:second|third|fourth|fifth|sixth|seventh|next|following|remaining|balance|final|last)\b/i
/** `Base rent, second year: `, `thereafter `: never the first either. */
export const LATER_BEFORE =
  /\b(?:(?:second|third|fourth|fifth|sixth|seventh|next|following|remaining) (?:lease |rental )?years?|thereafter)(?: (?:is|of|at|shall be|will be))?[ ,:;)]{0,5}$/i
/** A rent for another space than the premises, or for some months that are named: not the rent of the lease. */
export const OF_OTHERS =
  /\b(?:expansion|additional|storage|parking|temporary|swing|must-take|roof|antenna) (?:space|premises|area|unit|room|rights)\b[^.;]{0,140}$|\bfor the months? of [^.;$]{3,140}$/i
/** In an amendment: what the lease before it asks for. */
export const OF_OLD_LEASE =
  /\b(?:the|said|that|original|existing|current) lease (?:now |currently |presently )?(?:provides|provided|requires|required|calls|called|states|stated|sets|set)\b[^.;]{0,120}$|\b(?:under|pursuant to|in accordance with) (?:the|said|that) (?:original |existing |current )?lease,? (?:the )?(?:tenant|lessee|rent|monthly|base)\b[^.;]{0,80}$/i
/** `, which remains in effect until July 1` behind an amount: the rent until then. */
export const UNTIL =
  /^[^.;$]{0,30}\bwhich (?:rent |amount )?(?:is|was|remains?|continues?|shall (?:remain|continue)) in (?:effect|force) (?:un)?til\b/i
/** Words that spell the amount out right before its digits; what announces it stands before them. */
export const SPELLED =
  /(?:\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|hundred|thousand|million|and|no|dollars?|\d{1,2} ?\/ ?100)\b[ ,-]{0,2}){2,30}\(?$/i
/** `Rent, original term: $900 per month`: a line that begins with a caption of its own says all that counts before its amount. */
export const CAPTIONED_LINE = /^(?:\(?[a-z\d.]{1,5}[.)]? )?(?=[^:;$.]{0,40}\brent(?:al)?\b)\p{Lu}[^:;$.]{2,50}: /iu
/** Amounts of an example are nobody's. */
export const EXAMPLE = /\bexample:|\b(?:for example|for instance|e\.g\.|by way of illustration|assum(?:e|ing))\b/i
