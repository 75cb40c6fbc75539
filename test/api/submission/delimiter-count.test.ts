import { test } from 'tap'
import { DelimiterCount } from '../../../src/api/submission/delimiter-count.ts'

const count = (blocks: readonly Buffer[]): string => {
  const delimiters = new DelimiterCount('bound')
  for (const block of blocks) delimiters.add(block)
  return `${delimiters.parts} ${delimiters.ended}`
}

const WHOLE = Buffer.from('--bound\r\na: b\r\n\r\nx--bound\r\n--boun\r\n--bound\r\n\r\n\r\n--bound--\r\n--bound\r\n')

test('delimiters are counted wherever the blocks are cut', t => {
  t.equal(count([WHOLE]), '2 true')
  for (let cut = 0; cut <= WHOLE.length; cut += 1) {
    const blocks = [WHOLE.subarray(0, cut), WHOLE.subarray(cut)]
    if (count(blocks) !== '2 true') t.fail(`cut at ${cut}: ${count(blocks)}`)
  }
  t.equal(count(Array.from(WHOLE, byte => Buffer.from([byte]))), '2 true', 'byte by byte')
  t.end()
})

test('a body without its end has not ended', t => {
  const end = WHOLE.indexOf('--bound--') + '--bound--'.length
  for (let length = 0; length < end; length += 1) {
    if (!count([WHOLE.subarray(0, length)]).endsWith('false')) t.fail(`${length} bytes count as whole`)
  }
  t.equal(count([WHOLE.subarray(0, end)]), '2 true')
  t.equal(count([Buffer.from('preamble\r\n--bound\r\n\r\n\r\n--bound--')]), '1 true')
  t.equal(count([]), '0 false')
  t.end()
})
