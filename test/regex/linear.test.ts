import { join } from 'node:path'
import { type Test, test } from 'tap'
import { weaknessOf } from './attack.ts'
import { type FoundRegex, madeRegexes, regexesIn, regexesOf } from './find-regexes.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Only what may be repeated very often can take more than a little time a sign. */
const isUnbounded = ({ source }: FoundRegex): boolean => /[*+]|\{\d+,(?:\d{3,})?\}/.test(source)

function attackAll(t: Test, found: readonly FoundRegex[]): void {
  const distinct = new Map(found.map(regex => [`${regex.source}/${regex.flags}`, regex]))
  for (const { file, line, source, flags } of distinct.values()) {
    const weakness = weaknessOf(source, flags)
    if (!weakness) continue
    const { ms, pump } = weakness
    t.fail(`${file}:${line} takes ${ms.toFixed(1)} ms for 2,000 signs of ${JSON.stringify(pump)}: /${source}/${flags}`)
  }
}

test('every expression of the sources takes a time in proportion to the text', t => {
  const found = regexesOf(ROOT)
  const unbounded = found.filter(isUnbounded)
  t.ok(found.length > 800 && unbounded.length > 150, `saw ${found.length}, ${unbounded.length} of them unbounded`)
  attackAll(t, unbounded)
  t.end()
})

test('so does every one that is put together of parts', async t => {
  const made = await madeRegexes(ROOT)
  t.ok(made.length > 20, `saw ${made.length}`)
  attackAll(t, made.filter(isUnbounded))
})

test('the attack finds what it should, and nothing else', t => {
  const weak: readonly (readonly [string, string])[] = [
    ['\\s+$', ''],
    ['[\\s:;,*|–—-]+$', ''],
    ['^\\S*\\d\\S*$', ''],
    ['\\d[\\d,.]* acres', 'g'],
    ['Policy\\s*(?:No|Number)?\\s*[:#]?\\s*([A-Z0-9-]+)', 'i'],
    ['^(?:a+)+$', ''],
    ['(\\w+\\s?)*:', '']
  ]
  for (const [source, flags] of weak) t.ok(weaknessOf(source, flags), `/${source}/${flags}`)
  const sound: readonly (readonly [string, string])[] = [
    ['(?<!\\s)\\s+$', ''],
    ['^\\s*\\d+\\s*$', ''],
    ['[^,]{1,40},', 'g'],
    ['\\bpolicy (?:no|number)\\b', 'i']
  ]
  for (const [source, flags] of sound) t.notOk(weaknessOf(source, flags), `/${source}/${flags}`)
  t.end()
})

test('expressions are told from divisions, texts and comments', t => {
  const code = [
    'const a = /one/g, b = 4 / 2 / 1',
    '// not /this/',
    "const c = 'nor /this/' + `nor /this/ ${d.replace(/two[/]x/, '')} nor /this/`",
    '/* nor /this/ */ if (/three/u.test(c)) e(f / g, /\\/four/)',
    'const h = (i: string): boolean => /five/.test(i)'
  ]
  const found = regexesIn('x.ts', code.join('\n')).map(({ line, source, flags }) => `${line} ${source} ${flags}`)
  t.strictSame(found, ['1 one g', '3 two[/]x ', '4 three u', '4 \\/four ', '5 five '])
  t.end()
})
