import t from 'tap'
import { BLDS_NAMES } from '../../src/profiles/permit/blds-names.ts'
import { permit } from '../../src/profiles/permit/permit.ts'
import { mapColumns } from '../../src/profiles/tabular/map-columns.ts'

t.test('every name of BLDS stands for a field, and is read back as that field', async t => {
  const fields = Object.keys(BLDS_NAMES)
  t.strictSame(
    fields.filter(name => permit.fields[name] === undefined),
    []
  )
  const names = Object.values(BLDS_NAMES)
  const read = mapColumns(permit, names).fields.flatMap(({ field, own, fallbacks }) =>
    [...own, ...fallbacks].map(at => `${field.name},${names[at]}`)
  )
  t.strictSame(
    Object.entries(BLDS_NAMES)
      .map(String)
      .filter(pair => !read.includes(pair)),
    []
  )
})
