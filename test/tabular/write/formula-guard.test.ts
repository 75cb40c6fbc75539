import t from 'tap'
import { guardCell, unguardCell } from '../../../src/tabular/write/formula-guard.ts'

const MARKS = ["'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a', '1', '.', ' ', '"', '']

t.test('whatever a cell holds comes back exactly, and no cell begins like a formula', async t => {
  const cells = MARKS.flatMap(a => MARKS.flatMap(b => MARKS.map(c => a + b + c)))
  t.equal(cells.length, MARKS.length ** 3)
  t.strictSame(
    cells.filter(text => unguardCell(guardCell(text)) !== text),
    []
  )
  const runs = (text: string): boolean => /^[=+\-@\t\r\n＝]/.test(text) && !/^[+-]?\d+$/.test(text)
  t.strictSame(cells.map(guardCell).filter(runs), [])
  t.equal(guardCell('-12.50'), '-12.50', 'a plain number is none')
})
