import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { StringTable } from '../../../src/tabular/xlsx/string-table.ts'

const textOf = (n: number): string => `text ${n} ${'ä€😀'.repeat(n % 50)}`

t.test('every text is found again, in memory, in the file and waiting to be written', t => {
  const path = join(t.testdir(), 'work', 'texts')
  for (const room of [0, 500, 20_000, 4e6]) {
    const table = new StringTable(path, room)
    for (let n = 0; n < 3001; n++) table.add(textOf(n))
    t.equal(table.size, 3001)
    const order = Array.from({ length: 3001 }, (_, n) => (n * 1511) % 3001)
    t.ok(
      [...order.keys(), ...order].every(n => table.get(n) === textOf(n)),
      `room for ${room}`
    )
    t.equal(table.get(3001), undefined)
    t.equal(existsSync(path), room < 4e6, 'the file is there only when it is needed')
    table.close()
    t.notOk(existsSync(path), 'and goes with the table')
  }
  t.end()
})
