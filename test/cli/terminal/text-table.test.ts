import { test } from 'tap'
import { progressBar, textTable } from '../../../src/cli/terminal/text-table.ts'

test('columns are aligned, numbers to the right', t => {
  t.strictSame(
    textTable([
      ['batch', 'records', 'as expected'],
      ['permits', 220, 'yes'],
      ['x', 3, 'NO']
    ]),
    ['batch    records  as expected', '───────  ───────  ───────────', 'permits      220  yes', 'x              3  NO']
  )
  t.strictSame(textTable([]), [])
  t.end()
})

test('a bar shows its share and never more than all', t => {
  t.equal(progressBar(0, 4), '░░░░   0 %')
  t.equal(progressBar(0.5, 4), '██░░  50 %')
  t.equal(progressBar(1.5, 4), '████ 100 %')
  t.end()
})
