import { test } from 'tap'
import { contentKeyText } from '../../src/tabular/content-key.ts'
import { rowsOf } from './read-all.ts'

async function keys(text: string): Promise<string[]> {
  return (await rowsOf(text)).map(contentKeyText)
}

test('the key does not depend on the order of columns, quoting, line ends or encoding', async t => {
  const expected = ['{"permit_number":"1","status":"é \\"x\\""}']
  t.strictSame(await keys('permit_number,status\n1,"é ""x"""\n'), expected)
  t.strictSame(await keys('\ufeffstatus;permit_number\r\n"é ""x""";"1"'), expected)
  t.strictSame(await keys('[{"status":"\\u00e9 \\"x\\"", "permit_number":"1"}]'), expected)
})

test('numbers count as written, and types differ', async t => {
  const texts = await keys('[{"a":1.0},{"a":1.00},{"a":"1.0"},{"a":null},{"a":""},{}]')
  t.strictSame(texts, ['{"a":1.0}', '{"a":1.00}', '{"a":"1.0"}', '{"a":null}', '{"a":""}', '{}'])
})

test('members sort by UTF-16 units', async t => {
  t.strictSame(await keys('[{"\\ufb33":1,"\\ud83d\\ude00":2,"b":3,"a":4,"10":5,"9":6}]'), [
    '{"10":5,"9":6,"a":4,"b":3,"😀":2,"\ufb33":1}'
  ])
})

test('a faulty row is its source and equals no readable one', async t => {
  t.strictSame(await keys('permit_number,status\n1\n'), ['"1"'])
})

test('text is escaped just as JSON text is', async t => {
  const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit))
  const texts = [...units, 'a😀b', '\ud83da', 'a\ude00', '"', '\\', '\u2028', '']
  const row = (value: string) => ({ row: 1, line: 1, names: ['a'], values: [value] })
  const wrong = texts.filter(text => contentKeyText(row(text)) !== `{"a":${JSON.stringify(text)}}`)
  t.strictSame(wrong, [])
})
