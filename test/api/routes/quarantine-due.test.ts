import { test } from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { CSV, formOf } from '../bodies.ts'
import { makeRecords } from '../factory.ts'

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}

test('held records are listed by their statutory day, the first due first, page by page', async t => {
  const api = await testApi(t)
  const answer = await json(await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) }))
  const days = ['2026-12-28', null, '2026-11-30', '2026-12-04', '2026-12-04', '2026-12-01']
  const ids = await makeRecords(
    api.pool,
    answer.id,
    days.map((_, at) => ({ item: at + 1, ...(at === 5 ? { state: 'rejected' as const } : {}) }))
  )
  for (const [at, day] of days.entries()) {
    await api.pool.query('update record set content = $2 where id = $1', [
      ids[at],
      JSON.stringify(day === null ? {} : { statutory_due_at: day })
    ])
  }
  const expected = [ids[2], ...[ids[3] ?? '', ids[4] ?? ''].toSorted((a, b) => (a < b ? -1 : 1)), ids[0]]
  const list = async (query: string): Promise<Page> => json(await api.fetch(`/v1/quarantine?${query}`))

  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page = await list(`sort=due&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null && seen.length < 20)
  t.same(seen, expected)

  t.same(
    (await list('sort=due&due_by=2026-12-04')).data.map(({ id }) => id),
    expected.slice(0, 3)
  )
  t.same(
    (await list('due_by=2026-12-03')).data.map(({ id }) => id),
    [ids[2]]
  )
  t.equal((await list('limit=50')).data.length, 5, 'otherwise all that are held, also those without a day')

  const first = await list('limit=1')
  const foreign = await api.fetch(`/v1/quarantine?sort=due&cursor=${first.next_cursor}`)
  t.equal(foreign.status, 400)
  t.match(await json(foreign), { code: 'CURSOR_INVALID' })
  t.equal((await api.fetch('/v1/quarantine?due_by=soon')).status, 400)
})
