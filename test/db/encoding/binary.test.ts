import { createHash, randomUUID } from 'node:crypto'
import t from 'tap'
import { digestArray, intArray, jsonbArray, textArray, uuidArray } from '../../../src/db/encoding/binary.ts'
import { testDatabase } from '../../helpers/database.ts'

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

t.test('arrays arrive in the database as the elements they were made of', async t => {
  const { pool } = await testDatabase(t)
  const back = async (type: string, array: Buffer): Promise<unknown[]> => {
    const { rows } = await pool.query<{ a: unknown[] }>(`select to_json($1::${type}[]) as a`, [array])
    return rows[0]?.a ?? []
  }
  for (const count of [0, 1, 2, 500]) {
    const ids = Array.from({ length: count }, () => randomUUID())
    t.same(await back('uuid', uuidArray(ids)), ids, `${count} ids`)
    const digests = ids.map(digestOf)
    t.same(
      await back('bytea', digestArray(digests)),
      digests.map(digest => `\\x${digest}`)
    )
    const numbers = ids.map((_, i) => (i % 3 === 0 ? null : i - 250))
    t.same(await back('int', intArray(numbers)), numbers)
    const texts = ids.map((id, i) => (i % 2 === 0 ? '' : `${id} ä€😀 "\\`))
    t.same(await back('text', textArray(texts)), texts)
    const jsons = ids.map((id, i) => (i % 5 === 0 ? null : { id, list: [i, null, 'ä'] }))
    t.same(await back('jsonb', jsonbArray(jsons.map(json => (json === null ? null : JSON.stringify(json))))), jsons)
  }
})

t.test('what is no hex of the right length is refused and shifts nothing', async t => {
  const [id, digest] = [randomUUID(), digestOf('x')]
  for (const wrong of ['', 'x', id.slice(1), `${id}0`, id.replace(/./, 'g'), `${id}${id}`]) {
    t.throws(() => uuidArray([id, wrong, id]), { code: 'INTERNAL' }, wrong)
  }
  for (const wrong of ['', digest.slice(2), `${digest}00`, digest.replace(/.$/, 'z')]) {
    t.throws(() => digestArray([digest, wrong]), { code: 'INTERNAL' }, wrong)
  }
})
