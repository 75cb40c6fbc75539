/** A state and a ZIP code that begins as that state's do, as addresses in America end; `Berlin DE 10115` is none. */
const AMERICAN_PLACE =
  /\b(?:(?:CT|MA|ME|NH|NJ|RI|VT),? {1,2}0|(?:NY|PA),? {1,2}1|(?=DE,? {1,2}19)DE,? {1,2}1|(?:DC|MD|NC|SC|VA|WV),? {1,2}2|(?:AL|FL|GA|MS|TN),? {1,2}3|(?:IN|KY|MI|OH),? {1,2}4|(?:IA|MN|MT|ND|SD|WI),? {1,2}5|(?:IL|KS|MO|NE),? {1,2}6|(?:AR|LA|OK|TX),? {1,2}7|(?:AZ|CO|ID|NM|NV|UT|WY),? {1,2}8|(?:AK|CA|HI|OR|WA),? {1,2}9)\d{4}(?:-\d{4})?\b/
/** The hour at which American policies begin and end, and the register of American insurers. */
const AMERICAN_TERMS = /\b12:01 ?a\.?m\.?,? (?:\p{L}+ )?standard time\b|\bNAIC\b/iu

/** Other currencies, by their signs and codes, and dollars that are not America's. */
const OTHER_MONEY =
  /[£€¥₹₪₩₱฿₺₫₦]|\b(?:CAD|AUD|NZD|GBP|EUR|INR|MXN|SGD|HKD|ZAR|CHF|JPY|CNY|RMB|BRL|AED|ILS|KRW|PHP|THB|SEK|NOK|DKK|PLN|CDN|JMD|TTD|BBD|BSD|BMD|KYD)\b|\b(?:C|CA|CDN|CAN|A|AU|NZ|HK|S|R|MX|J|TT|NT|BZ)\$/
/** How places end elsewhere: British, Canadian, Australian, Indian and continental codes, and provinces. */
const OTHER_CODE =
  /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d\b|\b(?:NSW|VIC|QLD|TAS|ACT|SA|WA|NT),? {1,2}\d{4}(?![-\d])|, ?(?:ON|QC|BC|AB|SK|MB|NS|NB|NL|PEI?|YT)\b(?! [A-Z]{2})|\b(?:D|A|CH|F|NL|DE|AT|FR|IT|ES)-\d{4,5}\b|\b[1-9]\d{2} \d{3}\b(?![ -]?\d)/
/** Words that papers of other countries use, and days before months in words. */
const OTHER_WORDS =
  /\b\d{1,2}(?:st|nd|rd|th)?[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[, -]{1,2}\d{2,4}\b|\b(?:post ?codes?|postal code|eircode|pin code|GST|HST|VAT|GSTIN|ABN|RFC:|insurance premium tax|cheques?|cent(?:re|imetres?)|limited company|pty|plc|gmbh|s\.?a\. de c\.?v|pvt|s\.r\.l|b\.v\.)(?![\p{L}\d])/iu
/** Countries and provinces, but for towns and states of America that are called like them. */
const OTHER_COUNTRY =
  /\b(?:canad(?:a|ian)|ontario(?!,? ca)|qu[eé]bec|alberta|british columbia|manitoba|saskatchewan|nova scotia|new brunswick(?!,? nj)|newfoundland|united kingdom|u\.?k\.?|great britain|england(?<!new england)|scotland|wales|northern ireland|ireland|australia|new south wales|queensland|new zealand|india|pakistan|bangladesh|sri lanka|nepal|m[eé]xico(?<!new mexico)|guatemala|belize|costa rica|panama(?! city,? fl)|dominican republic|jamaica(?!,? n)|bahamas|bermuda|barbados|trinidad|cayman|brazil|brasil|argentina|chile|colombia|ecuador|peru(?!,? i)|venezuela|uruguay|germany|deutschland|france|spain|espa[nñ]a|portugal|italy|italia|switzerland|austria|belgium|netherlands|luxembourg|denmark|sweden|norway|finland|iceland|poland(?!,? oh)|czech(?:ia| republic)|slovakia|hungary|romania|bulgaria|greece|cyprus|malta|croatia|serbia|slovenia|ukraine|russia|t[uü]rkiye|israel|lebanon(?!,? [a-z]{2}\b)|united arab emirates|u\.?a\.?e|saudi arabia|qatar|kuwait|bahrain|egypt|morocco|nigeria|kenya|ghana|south africa|china|hong kong|taiwan|japan|korea|singapore|malaysia|indonesia|thailand|vietnam|philippines)(?![\p{L}\d]| (?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|ct|court|creek|hill|way|county|township)\b)/iu
/** Cities behind a comma without their country; a state or its ZIP code behind some of them tells a town of America. */
const OTHER_CITY =
  /, (?:\d{4,6} )?(?:central )?(?:london|toronto|vancouver|montr[eé]al|calgary|ottawa|edmonton|winnipeg|halifax|mississauga|hamilton|birmingham|manchester|liverpool|leeds|bristol|edinburgh|glasgow|belfast|cardiff|dublin|cork|sydney|melbourne|brisbane|perth|adelaide|canberra|auckland|wellington|mumbai|new delhi|delhi|bengaluru|bangalore|chennai|hyderabad|kolkata|pune|guadalajara|monterrey|tijuana|canc[uú]n|paris|berlin|munich|frankfurt|hamburg|istanbul|z[uü]rich|geneva|madrid|barcelona|milan|rome|amsterdam|brussels|dubai|abu dhabi|tel aviv|johannesburg|cape town|s[aã]o paulo|buenos aires|bogot[aá]|tokyo|seoul|shanghai|beijing|manila)(?![\p{L}\d]| (?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|blvd|ct|court|way)\b|,? [a-z]{2}\b|,? [\p{L} ]{4,20},? \d{5}(?!\d))/iu

const ELSEWHERE: readonly RegExp[] = [OTHER_MONEY, OTHER_CODE, OTHER_WORDS, OTHER_COUNTRY, OTHER_CITY]

/**
 * The order of numeric dates where a document is written, when nothing in it shows another: American papers, told by
 * their addresses or their terms, put the month first. A paper that has any sign of another country, or none, is not told:
 * a broker in America is named on papers of everywhere.
 */
export function orderOfPlace(text: string): 'mdy' | null {
  const isAmerican = AMERICAN_PLACE.test(text) || (text.includes('$') && AMERICAN_TERMS.test(text))
  return isAmerican && !ELSEWHERE.some(sign => sign.test(text)) ? 'mdy' : null
}
