import t from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { createPlaceAdapter } from '../../../src/registries/http/arcgis/place-adapter.ts'
import { createCover, type Point, readShape, samplesOf } from '../../../src/registries/http/arcgis/shapes.ts'
import type { HttpClient, HttpReply } from '../../../src/registries/http/client/guarded-client.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'
import { readWhere } from './server/read-where.ts'
import { arcgisSettings } from './server/settings.ts'

type Ring = readonly Point[]
const square = (x: number, y: number, side: number): Ring => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y]
]
const rings = (...list: Ring[]): Json => ({ rings: list })

t.test('inside is inside, also beside a hole and in an arm', async t => {
  const shape = [square(0, 0, 10), square(4, 4, 2)]
  const covers = createCover(shape)
  t.strictSame([[1, 1], [9.9, 9.9], [5, 5], [11, 5], [-1, 5], [5, 3.9]].map(point => covers(point as [number, number])), [
    true, true, false, false, false, true
  ]) // biome-ignore format: a list
  const hook: Ring = [[0, 0], [0, 10], [10, 10], [10, 8], [2, 8], [2, 0], [0, 0]] // biome-ignore format: a list
  for (const one of [shape, [hook], [square(0, 0, 1e-6)]]) {
    const samples = samplesOf(one)
    t.ok(samples.length > 1)
    t.ok(samples.every(createCover(one)), 'samples lie inside')
  }
})

/** Another way to tell: seen from inside, a walk along the outline turns round once; from outside it does not. */
function turnsRound(ring: Ring, [x, y]: Point): boolean {
  const angles = ring.map(([px, py]) => Math.atan2(py - y, px - x))
  const turns = angles.map((angle, i) => {
    const step = angle - (angles.at(i - 1) ?? 0)
    return step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step
  })
  return Math.abs(turns.reduce((sum, turn) => sum + turn, 0)) > Math.PI
}

t.test('two ways to tell what is inside agree on random shapes and points', async t => {
  const random = new Random(testSeed())
  t.comment(`DOCKET_TEST_SEED=${random.seed}`)
  let inside = 0
  for (let i = 0; i < 300; i++) {
    const angles = Array.from({ length: 3 + random.below(20) }, () => random.below(1_000_000) / 1_000_000)
    const star = angles
      .toSorted((one, other) => one - other)
      .map((turn): Point => {
        const reach = 1 + random.below(1000) / 100
        return [reach * Math.cos(turn * 2 * Math.PI), reach * Math.sin(turn * 2 * Math.PI)]
      })
    const covers = createCover([star])
    const points = Array.from(
      { length: 20 },
      (): Point => [random.below(2200) / 100 - 11, random.below(2200) / 100 - 11]
    )
    for (const point of points) if (covers(point) !== turnsRound(star, point)) t.fail(`${String(point)} of star ${i}`)
    inside += points.filter(covers).length
    for (const point of samplesOf([star])) if (!turnsRound(star, point)) t.fail(`sample ${String(point)} of star ${i}`)
  }
  t.ok(inside > 500, `${inside} points were inside`)
})

t.test('shapes are degrees, or no shapes', async t => {
  t.equal(readShape(null), null)
  t.equal(readShape({ rings: [] }), null)
  t.strictSame(readShape({ x: 1, y: 2 }), [[[1, 2]]])
  t.throws(() => readShape({ rings: [[[500_000, 4_000_000]]] }), { kind: 'configuration', code: 'bad_geometry' })
  t.throws(() => readShape({ rings: [[['1', '2']]] }), { kind: 'transient', code: 'bad_geometry' })
  t.throws(() => readShape({ rings: 7 }), { kind: 'transient', code: 'bad_geometry' })
})

const PARCELS: Readonly<Record<string, readonly Json[]>> = {
  inside: [rings(square(1, 1, 1))],
  across: [rings(square(9.5, 1, 1))],
  parted: [rings(square(1, 1, 1)), rings(square(12, 1, 1))],
  beyond: [rings(square(40, 40, 1))],
  shapeless: [null],
  pinned: [{ x: 15, y: 5 }],
  touching: [rings(square(8, 1, 2))]
}
const DISTRICTS = [
  { zone: 'R-1', shape: [square(0, 0, 10)] },
  { zone: 'C-2', shape: [square(10, 0, 10)] },
  { zone: 'R-1', shape: [square(0, 20, 5)] }
]

interface Form {
  readonly where: string
  readonly points: readonly Point[]
}

function answer(path: string, { where, points }: Form): Json {
  if (path.includes('/Parcels/')) {
    const keys = readWhere(where, 'PIN') ?? []
    const features = keys.flatMap(PIN => (PARCELS[PIN] ?? []).map(geometry => ({ attributes: { PIN }, geometry })))
    return { features }
  }
  const hit = DISTRICTS.filter(({ shape }) => points.some(createCover(shape)))
  return { features: hit.map(({ zone, shape }) => ({ attributes: { ZONE: zone }, geometry: rings(...shape) })) }
}

function open(change: (body: Json, path: string) => Json = body => body) {
  const calls: string[] = []
  const http: HttpClient = {
    async send({ url, body }): Promise<HttpReply> {
      const form = new URLSearchParams(body?.text)
      calls.push(url.pathname)
      const { points = [] } = JSON.parse(form.get('geometry') ?? '{}') as { points?: readonly Point[] }
      const reply = answer(url.pathname, { where: form.get('where') ?? '', points })
      return { status: 200, body: change(reply, url.pathname), retryAfterMs: undefined }
    }
  }
  const zoning = 'https://registry.test/arcgis/rest/services/Zoning/MapServer/2'
  const parcels = 'https://registry.test/arcgis/rest/services/Parcels/FeatureServer/0'
  const settings = arcgisSettings('https://registry.test', {
    url: zoning,
    parcels,
    fields: { zoningCode: 'ZONE' },
    asOf: undefined
  })
  const tokens = { get: async () => undefined, drop: () => false }
  const adapter = createPlaceAdapter('zoning', settings, parcels, { http, tokens })
  const ask = (...keys: string[]) => adapter.lookUp(keys, { asOf: '2026-11-30', signal: new AbortController().signal })
  return { ask, calls }
}

const district = (parcelId: string, zoningCode: string) => ({ parcelId, zoningCode })

t.test('the districts that a parcel lies in are its zoning; on a border both are', async t => {
  const { ask, calls } = open()
  const answers = await ask(...Object.keys(PARCELS), 'unknown')
  const both = (key: string) => ({ kind: 'several', candidates: [district(key, 'R-1'), district(key, 'C-2')] })
  t.strictSame(Object.fromEntries(answers), {
    inside: { kind: 'match', value: district('inside', 'R-1') },
    across: both('across'),
    parted: both('parted'),
    beyond: { kind: 'no_match' },
    shapeless: { kind: 'no_match' },
    pinned: { kind: 'match', value: district('pinned', 'C-2') },
    touching: { kind: 'match', value: district('touching', 'R-1') },
    unknown: { kind: 'no_match' }
  })
  t.equal(calls.length, 2, 'one call to each layer')
})

t.test('shapes that were left out or belong to another question are a fault, never an absence', async t => {
  const cut = (where: string) => (body: Json, path: string) =>
    path.includes(where) ? { ...(body as object), exceededTransferLimit: true } : body
  for (const layer of ['/Parcels/', '/Zoning/']) {
    await t.rejects(open(cut(layer)).ask('inside'), { kind: 'transient', code: 'truncated' })
  }
  const elsewhere = (body: Json, path: string): Json =>
    path.includes('/Zoning/')
      ? { features: [{ attributes: { ZONE: 'X' }, geometry: rings(square(-50, -50, 1)) }] }
      : body
  await t.rejects(open(elsewhere).ask('inside'), { kind: 'transient', code: 'wrong_keys' })
  const others = (body: Json, path: string): Json =>
    path.includes('/Parcels/')
      ? { features: [{ attributes: { PIN: 'other' }, geometry: rings(square(1, 1, 1)) }] }
      : body
  await t.rejects(open(others).ask('inside'), { kind: 'transient', code: 'wrong_keys' })
})
