import { test } from 'tap'
import { csvCell } from '../../../src/api/present/csv-line.ts'

test('no cell is run by a spreadsheet, and none breaks its line', t => {
  const cells: [string, string][] = [
    ['plain', 'plain'],
    ['-12.50', '-12.50'],
    ['=1+1', "'=1+1"],
    ['+1 206', "'+1 206"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['\n=1', `"'\n=1"`],
    ['\t=1', "'\t=1"],
    ['=a,"b"', `"'=a,""b"""`],
    ['two\nlines', '"two\nlines"'],
    [' spaced', '" spaced"'],
    ['', '']
  ]
  for (const [text, cell] of cells) t.equal(csvCell(text), cell, JSON.stringify(text))
  t.end()
})
