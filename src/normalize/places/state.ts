import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldShort } from '../text.ts'

/** USPS codes with the full name and older abbreviations. */
const NAMES = `AL alabama,ala|AK alaska|AZ arizona,ariz|AR arkansas,ark|CA california,calif,cal|CO colorado,colo|CT connecticut,conn|DE delaware,del|DC district of columbia,d.c|FL florida,fla|GA georgia|HI hawaii|ID idaho|IL illinois,ill|IN indiana,ind|IA iowa|KS kansas,kans|KY kentucky|LA louisiana|ME maine|MD maryland|MA massachusetts,mass|MI michigan,mich|MN minnesota,minn|MS mississippi,miss|MO missouri|MT montana,mont|NE nebraska,nebr|NV nevada,nev|NH new hampshire,n.h|NJ new jersey,n.j|NM new mexico,n.m|NY new york,n.y|NC north carolina,n.c|ND north dakota,n.d|OH ohio|OK oklahoma,okla|OR oregon,ore|PA pennsylvania,penn|PR puerto rico,p.r|RI rhode island,r.i|SC south carolina,s.c|SD south dakota,s.d|TN tennessee,tenn|TX texas,tex|UT utah|VT vermont|VA virginia|VI virgin islands|WA washington,wash|WV west virginia,w.va|WI wisconsin,wis|WY wyoming,wyo|GU guam|AS american samoa|MP northern mariana islands`

const CODE_BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES.split('|').flatMap(entry => {
    const code = entry.slice(0, 2)
    return [code.toLowerCase(), ...entry.slice(3).split(',')].map(name => [name, code] as const)
  })
)

/** The USPS code of a state written as code, name or abbreviation. */
export function readState(raw: string): Reading<string> {
  const text = foldShort(raw, 60)
  const code = stateCodeOf(text)
  if (code !== null) return found(code)
  return readAbsence(text) ?? invalid(['FIELD_INVALID'])
}

/** The USPS code of a folded text, or null. */
export function stateCodeOf(text: string): string | null {
  return CODE_BY_NAME.get(text.toLowerCase().replace(/\.$/, '')) ?? null
}
