import { test } from 'tap'
import { testApi } from '../../helpers/app.ts'
import { END, filePart, part, sendRaw } from '../bodies.ts'

const CASES = 400
const SEED = 20_261_130

/** Mulberry32: small, seeded, the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SPLICES = [
  '--X',
  '\r\n--X--\r\n',
  '\r\n',
  '\n',
  '\0',
  '"',
  ';',
  'filename*=',
  'name="file"',
  '\r\n\r\n',
  'Content-Type:'
]

/** Flips, drops, doubles or splices at a random place. */
function mutate(body: string, random: () => number): string {
  const at = Math.floor(random() * body.length)
  const length = Math.floor(random() * 12)
  const kind = Math.floor(random() * 5)
  const splice = SPLICES[Math.floor(random() * SPLICES.length)] ?? ''
  if (kind === 0) return body.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + body.slice(at + 1)
  if (kind === 1) return body.slice(0, at) + body.slice(at + length)
  if (kind === 2) return body.slice(0, at + length) + body.slice(at)
  if (kind === 3) return body.slice(0, at) + splice + body.slice(at)
  return body.slice(0, at)
}

test('no mutated body brings the service down or leaves half a batch', async t => {
  t.comment(`seed ${SEED}`)
  const random = randomOf(SEED)
  const api = await testApi(t)
  const whole = part('name="source"', 'portal') + filePart() + filePart('a,b\n1,2\n', 'b.csv') + END
  const statuses = new Map<number, number>()
  for (let i = 0; i < CASES; i += 1) {
    let body = whole
    for (let round = Math.floor(random() * 3); round >= 0; round -= 1) body = mutate(body, random)
    const { status } = await sendRaw({ port: api.port, key: api.admin }, body)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (![202, 400, 413, 422].includes(status)) t.fail(`case ${i} answered ${status}`)
  }
  t.comment(JSON.stringify([...statuses]))
  t.ok((statuses.get(202) ?? 0) > 0 && (statuses.get(400) ?? 0) > 0, 'some were still whole, some were not')
  const { rows } = await api.pool.query<{ files: number }>('select count(*)::int as files from file')
  t.equal((await api.files()).length, rows[0]?.files, 'a payload for each file, and nothing else')
  t.equal((await api.fetch('/healthz')).status, 200)
})
