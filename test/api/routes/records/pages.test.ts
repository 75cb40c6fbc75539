import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { test } from 'tap'
import { verify } from '../../../../src/audit/verify/verify.ts'
import { sweepPageImages } from '../../../../src/pipeline/page-images/sweep-page-images.ts'
import { fixture } from '../../../extract/extractor-fixture.ts'
import { readPng } from '../../../extract/render/read-png.ts'
import { inkIn, onePage } from '../../../extract/render/render-fixture.ts'
import { json, type TestApi, testApi } from '../../../helpers/app.ts'
import { type TestFile, type TestPipeline, testPipeline } from '../../../helpers/pipeline.ts'

const FIELDS = [
  ['Policy Number:', 'HX-700131'],
  ['Named Insured:', 'Wrenfield Bakery LLC'],
  ['Effective Date:', '2024-05-01'],
  ['Expiration Date:', '2025-05-01'],
  ['Total Premium:', '$1,250.00']
] as const

/** A policy on a page that is cropped and turned; `mark` makes its bytes differ. */
function policy(mark: string): Buffer {
  const rows = FIELDS.map(
    ([label, value], row) =>
      `BT /F1 11 Tf 1 0 0 1 120 ${700 - row * 24} Tm (${label}) Tj ET\nBT /F1 11 Tf 1 0 0 1 260 ${700 - row * 24} Tm (${value}) Tj ET`
  )
  return onePage({ rotate: 90, cropBox: [80, 300, 500, 760], content: `% ${mark}\n${rows.join('\n')}` })
}

interface Page {
  readonly page: number
  readonly page_count: number
  readonly kind: string
  readonly width: number
  readonly height: number
  readonly fields: readonly { readonly name: string; readonly page: number; readonly box: readonly number[] | null }[]
  readonly links: { readonly image: string }
}

const pageOf = async (api: TestApi, id: string, number: number): Promise<Page> =>
  (await json(await api.fetch(`/v1/records/${id}/pages/${number}`))) as unknown as Page

async function recordOf(pipeline: TestPipeline, file: TestFile, profile: string): Promise<string> {
  const batch = await pipeline.submit([file], { profile })
  await pipeline.finished(batch.id)
  const [record] = await pipeline.records(batch.id)
  return record?.id ?? ''
}

const launchesOf = async ({ pool }: TestPipeline): Promise<number[]> => {
  const { rows } = await pool.query<{ launches: number }>(
    `select launches from extraction where extractor like 'page %' order by extractor`
  )
  return rows.map(row => row.launches)
}

test('the pages of a document', async t => {
  const pipeline = await testPipeline(t)
  pipeline.work()
  const api = await testApi(t, { on: pipeline })
  const id = await recordOf(pipeline, { name: 'policy.pdf', bytes: policy('one') }, 'policy')

  await t.test('show where the values of the record stand, in the picture too', async t => {
    const page = await pageOf(api, id, 1)
    t.match(page, { page: 1, page_count: 1, kind: 'drawn', width: 420, height: 460 })
    const names = page.fields.map(field => field.name)
    for (const name of ['policy_number', 'named_insured', 'effective_date', 'premium_total']) t.ok(names.includes(name))
    t.notOk(names.includes('mailing_address'), 'what is not there has no place')
    const answer = await api.fetch(page.links.image)
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'image/png')
    t.equal(answer.headers.get('cache-control'), 'private, no-cache')
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    const picture = readPng(Buffer.from(await answer.arrayBuffer()))
    t.equal(picture.width, 1000)
    const share = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]) =>
      [x0 / page.width, y0 / page.height, x1 / page.width, y1 / page.height] as const
    const ink = new Map(page.fields.map(({ name, box }) => [name, box ? inkIn(picture, share(box)) : 0]))
    for (const [name, dark] of ink) t.ok(dark > 100, `${name}: ${dark} dark pixels in its box`)
    const small = readPng(Buffer.from(await (await api.fetch(`${page.links.image}?size=small`)).arrayBuffer()))
    t.equal(small.width, 240)
  })

  await t.test('are known by their ETag, and not sent again', async t => {
    const first = await api.fetch(`/v1/records/${id}/pages/1.png`)
    const etag = first.headers.get('etag') ?? ''
    t.match(etag, /^"[0-9a-f]{32}"$/)
    const again = await api.fetch(`/v1/records/${id}/pages/1.png`, { headers: { 'if-none-match': etag } })
    t.strictSame([again.status, await again.text(), again.headers.get('etag')], [304, '', etag])
    const weak = { 'if-none-match': `"0", W/${etag}` }
    t.equal((await api.fetch(`/v1/records/${id}/pages/1.png`, { headers: weak })).status, 304)
    const other = await api.fetch(`/v1/records/${id}/pages/1.png?size=small`, { headers: { 'if-none-match': etag } })
    t.equal(other.status, 200, 'another size is another picture')
  })

  await t.test('exist for those who may see the record, and by number', async t => {
    const of = async (path: string, scopes: readonly string[], jurisdiction: string): Promise<[number, string]> => {
      const token = await api.keyFor({ scopes: scopes as never, jurisdictions: [jurisdiction] })
      const answer = await api.fetch(path, { headers: { authorization: `Bearer ${token}` } })
      return [answer.status, answer.status === 200 ? '' : (await json(answer)).code]
    }
    const jurisdiction = '53033'
    for (const path of [`/v1/records/${id}/pages/1`, `/v1/records/${id}/pages/1.png`]) {
      t.strictSame(await of(path, ['read'], jurisdiction), [200, ''])
      t.strictSame(await of(path, ['review'], jurisdiction), [200, ''])
      t.strictSame(await of(path, ['submit', 'audit'], jurisdiction), [403, 'SCOPE_MISSING'])
      t.strictSame(await of(path, ['read'], '06037'), [404, 'NOT_FOUND'], 'for another jurisdiction there is none')
    }
    for (const page of [
      '2',
      '2.png',
      '999999.png',
      '0',
      '0.png',
      '-1.png',
      '1.5',
      '1e0.png',
      'one',
      'one.png',
      '1.jpg'
    ]) {
      const answer = await api.fetch(`/v1/records/${id}/pages/${page}`)
      t.match(await json(answer), { status: 404, code: 'PAGE_NOT_FOUND' }, page)
    }
    t.match(await json(await api.fetch(`/v1/records/${id}/pages/2.png`)), { page_count: 1 })
    t.match(await json(await api.fetch(`/v1/records/${id}/pages/1.png?size=huge`)), { code: 'REQUEST_INVALID' })
    const rows = await recordOf(pipeline, { name: 'a.csv', bytes: 'permit_number,parcel_id\nA-1,22\n' }, 'permit')
    t.match(await json(await api.fetch(`/v1/records/${rows}/pages/1.png`)), { code: 'PAGE_NOT_FOUND', page_count: 0 })
  })

  await t.test('stand in the audit trail like other downloads', async t => {
    const entries = await json(await api.fetch(`/v1/records/${id}/audit`))
    const seen = (entries.data as unknown as { detail: { download?: string } }[]).filter(
      ({ detail }) => detail.download === 'page'
    )
    // Sent: medium and small; medium and small again; medium to two keys. Neither 304 nor a refusal is a download.
    t.equal(seen.length, 6)
    t.match(seen[0]?.detail, { page: 1, size: 'medium' })
    t.strictSame((await verify({ pool: pipeline.pool })).offenders, [])
  })

  await t.test('of a document without pages are its words, with a box for each paragraph', async t => {
    const docx = readFileSync(fixture('docx/dx01.docx'))
    const lease = await recordOf(pipeline, { name: 'lease.docx', bytes: docx }, 'lease')
    const page = await pageOf(api, lease, 1)
    t.match(page, { kind: 'plain', width: 612, height: 792 })
    t.ok(page.fields.length >= 4, `${page.fields.length} fields`)
    const picture = readPng(Buffer.from(await (await api.fetch(page.links.image)).arrayBuffer()))
    for (const { name, page: on, box } of page.fields) {
      t.equal(on, 1)
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box ?? []
      t.ok(inkIn(picture, [x0 / 612, y0 / 792, x1 / 612, y1 / 792]) > 100, name)
    }
  })
})

test('the values of pictures and scans stand in the boxes of their pages, whichever way they lie', async t => {
  const pipeline = await testPipeline(t)
  pipeline.work()
  const api = await testApi(t, { on: pipeline })
  for (const name of ['plain.png', 'orientation.jpg', 'fax4.tiff', 'scans/sideways.pdf']) {
    const bytes = readFileSync(fixture(`../ocr/${name}`))
    const id = await recordOf(pipeline, { name: name.replace('/', '-'), bytes }, 'policy')
    const page = await pageOf(api, id, 1)
    const picture = readPng(Buffer.from(await (await api.fetch(page.links.image)).arrayBuffer()))
    t.ok(Math.abs(picture.width / picture.height - page.width / page.height) < 0.01, `${name}: its shape`)
    const boxes = page.fields.flatMap(({ box }) => {
      if (box === null) return []
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box
      return [[x0 / page.width, y0 / page.height, x1 / page.width, y1 / page.height] as const]
    })
    t.ok(boxes.length >= 4, `${name}: ${boxes.length} values`)
    for (const box of boxes) t.ok(inkIn(picture, box) > 30, `${name}: ink in ${box.join()}`)
    const elsewhere = boxes.map(([x0, y0, x1, y1]) => inkIn(picture, [1 - x1, 1 - y1, 1 - x0, 1 - y0]))
    t.ok(
      elsewhere.some(ink => ink === 0),
      `${name}: the other way round some are on white`
    )
  }
})

test('a page is drawn once, however many ask for it and whatever is in the way', async t => {
  const pipeline = await testPipeline(t)
  pipeline.work()
  const api = await testApi(t, { on: pipeline, drawing: { atOnce: 2 } })
  const id = await recordOf(pipeline, { name: 'policy.pdf', bytes: policy('two') }, 'policy')
  const path = `/v1/records/${id}/pages/1.png`

  await t.test('for requests at the same time', async t => {
    const before = (await api.files()).length
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.fetch(path)))
    const bodies = await Promise.all(
      answers.map(async answer => Buffer.from(await answer.arrayBuffer()).toString('hex'))
    )
    t.ok(answers.every(answer => answer.status === 200))
    t.equal(new Set(bodies).size, 1)
    t.strictSame(await launchesOf(pipeline), [1])
    t.equal((await api.files()).length, before + 1, 'one object')
  })

  await t.test('again when its picture was lost', async t => {
    const { rows } = await pipeline.pool.query<{ uri: string }>(
      `select result_uri as uri from extraction where extractor like 'page %'`
    )
    await api.store.remove(rows[0]?.uri ?? '')
    t.equal((await api.fetch(path)).status, 200)
    t.strictSame(await launchesOf(pipeline), [1])
  })

  await t.test('and is forgotten after a week, not before', async t => {
    const count = async (): Promise<number> => (await api.files()).length
    const before = await count()
    t.equal(await sweepPageImages(pipeline.deps), 0)
    t.equal(await count(), before)
    await pipeline.pool.query(
      `update extraction set created_at = now() - interval '8 days', finished_at = now() - interval '8 days'`
    )
    t.equal(await sweepPageImages(pipeline.deps), 1, 'readings of documents are kept')
    t.equal(await count(), before - 1)
    t.strictSame(await launchesOf(pipeline), [])
    t.equal((await api.fetch(path)).status, 200)
    t.strictSame((await verify({ pool: pipeline.pool, store: api.store })).offenders, [])
  })

  await t.test('and no more are drawn at once than there is room for', async t => {
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) {
      ids.push(await recordOf(pipeline, { name: `${n}.pdf`, bytes: policy(randomBytes(8).toString('hex')) }, 'policy'))
    }
    const answers = await Promise.all(ids.map(each => api.fetch(`/v1/records/${each}/pages/1.png`)))
    const counts = answers.map(answer => answer.status)
    t.equal(counts.filter(status => status === 200).length, 2, counts.join())
    const refused = answers.filter(answer => answer.status === 503)
    t.equal(refused.length, 3)
    for (const answer of refused) {
      t.equal((await json(answer)).code, 'DRAWING_BUSY')
      t.equal(answer.headers.get('retry-after'), '3')
    }
    for (const each of ids) t.equal((await api.fetch(`/v1/records/${each}/pages/1.png`)).status, 200)
  })
})

test('a page that breaks its ceilings is refused, and nothing else suffers', async t => {
  const pipeline = await testPipeline(t, { DOCKET_DOCUMENT_SECONDS: '4', DOCKET_DOCUMENT_MEMORY: '256' })
  pipeline.work()
  const api = await testApi(t, { on: pipeline, drawing: { seconds: 4, memoryMb: 256, atOnce: 4 } })
  const good = await recordOf(pipeline, { name: 'policy.pdf', bytes: policy('three') }, 'policy')
  const batch = await pipeline.submit(
    [{ name: 'bomb.pdf', bytes: readFileSync(fixture('hostile/bomb_double_flate.pdf')) }],
    {
      profile: 'policy'
    }
  )
  await pipeline.finished(batch.id)
  const [record] = await pipeline.records(batch.id)
  const bomb = `/v1/records/${record?.id}/pages/1.png`

  const hostile = api.fetch(bomb)
  const started = performance.now()
  let answered = 0
  while (performance.now() - started < 1500) {
    t.equal((await api.fetch(`/v1/records/${good}`)).status, 200)
    answered += 1
  }
  t.ok(answered > 20, `${answered} answers beside it`)
  const refused = await hostile
  t.match(await json(refused), {
    status: 422,
    code: 'PAGE_NOT_DRAWN',
    reason: /^EXTRACTION_(?:TIMEOUT|MEMORY|CRASH)$/,
    detail_code: /^(?:limit_|crashed)/
  })
  t.equal((await api.fetch(`/v1/records/${good}/pages/1.png`)).status, 200, 'the next page is drawn')
  t.equal((await api.fetch(bomb)).status, 422)
  const launches = await launchesOf(pipeline)
  t.equal((await api.fetch(bomb)).status, 422)
  t.strictSame(await launchesOf(pipeline), launches, 'what ended its process twice is not tried again')
  t.equal(Math.max(...launches), 2)
})
