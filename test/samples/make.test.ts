import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { test } from 'tap'
import { amountInWords, grouped } from '../../samples/generate/amounts.ts'
import { buildSamples, SEED } from '../../samples/generate/build.ts'
import { addMonths, isoDay, lastDayOfTerm } from '../../samples/generate/calendar.ts'
import type { SampleBatch } from '../../samples/generate/manifest.ts'
import { REASONS } from '../../src/model/reasons.ts'

const SAMPLES = join(import.meta.dirname, '..', '..', 'samples')
const WRITTEN = ['permits', 'policies', 'leases']

async function committed(): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const folder of WRITTEN) {
    const entries = await readdir(join(SAMPLES, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter(one => one.isFile())) {
      const path = join(entry.parentPath, entry.name)
      found.set(relative(SAMPLES, path).split(sep).join('/'), await readFile(path))
    }
  }
  return found.set('manifest.json', await readFile(join(SAMPLES, 'manifest.json')))
}

function differences(one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>): string[] {
  const paths = [...new Set([...one.keys(), ...other.keys()])]
  return paths.filter(path => !one.get(path)?.equals(other.get(path) ?? Buffer.from('nothing there')))
}

test('generating twice gives the same bytes, and they are the committed ones', async t => {
  t.comment(`seed ${SEED}`)
  const first = await buildSamples(SEED)
  t.strictSame(differences(first, await buildSamples(SEED)), [])
  t.strictSame(differences(first, await committed()), [])
})

test('the comparison can fail: another seed changes the permits, a missing or extra file is named', async t => {
  const files = await buildSamples(SEED)
  const other = differences(files, await buildSamples(SEED + 1))
  t.ok(other.includes('permits/king-blds.csv'))
  t.notOk(other.includes('leases/saltmarsh-lease.docx'))
  const altered = new Map(files).set('permits/extra.csv', Buffer.from('x'))
  altered.delete('manifest.json')
  t.strictSame(differences(files, altered), ['manifest.json', 'permits/extra.csv'])
})

test('the manifest names every file once, adds up and uses reasons of the catalogue', async t => {
  const files = await buildSamples(SEED)
  const batches = batchesOf(files)
  const named = batches.flatMap(batch => batch.files)
  t.strictSame(named.toSorted(), [...files.keys()].filter(path => path !== 'manifest.json').toSorted())
  for (const { name, after, expect, records, files: sent } of batches) {
    const { total, accepted, duplicate, quarantined, rejected } = expect
    t.equal(total, accepted + duplicate + quarantined + rejected, `${name} adds up`)
    t.ok(
      records.every(record => sent.includes(record.file)),
      `${name} expects records of its own files only`
    )
    t.ok(
      records.every(record => record.code === undefined || record.code in REASONS),
      `${name} uses known reasons`
    )
    const earlier = batches.slice(
      0,
      batches.findIndex(batch => batch.name === name)
    )
    t.ok(after === undefined || earlier.some(batch => batch.name === after), `${name} comes after what it needs`)
  }
})

function batchesOf(files: ReadonlyMap<string, Buffer>): SampleBatch[] {
  const { batches }: { batches: SampleBatch[] } = JSON.parse(String(files.get('manifest.json')))
  return batches
}

test('several hundred permits, and no submission number twice but where it is meant', async t => {
  const batches = batchesOf(await buildSamples(SEED))
  const permits = batches.filter(batch => batch.profile === 'permit')
  t.ok(permits.reduce((sum, batch) => sum + batch.expect.total, 0) > 500)
  const files = await buildSamples(SEED)
  const ids = String(files.get('permits/king-blds.csv')).match(/BLD24-\d{5}/g) ?? []
  t.equal(ids.length, 220)
  t.equal(new Set(ids).size, 219, 'one row is there twice')
})

test('planted bytes are what they claim to be', async t => {
  const files = await buildSamples(SEED)
  const king = files.get('permits/king-blds.csv') ?? Buffer.alloc(0)
  const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  t.throws(() => decode(king), 'one byte is not UTF-8')
  const bad = king.indexOf(Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20]))
  t.ok(bad > 0)
  king[bad + 3] = 0x65
  t.doesNotThrow(() => decode(king), 'and it is the only one')
  t.match(String(files.get('policies/homeowners-password.pdf')), '/Encrypt')
  t.notMatch(String(files.get('policies/illegible-scan.pdf')), ' Tf', 'a picture without text')
})

test('terms and amounts are reckoned by the calendar and in whole cents', async t => {
  const day = (year: number, month: number, date: number) => ({ year, month, day: date })
  t.equal(isoDay(lastDayOfTerm(day(2023, 1, 1), 60)), '2027-12-31')
  t.equal(isoDay(lastDayOfTerm(day(2023, 3, 15), 60)), '2028-03-14')
  t.equal(isoDay(lastDayOfTerm(day(2023, 2, 1), 61)), '2028-02-29')
  t.equal(isoDay(addMonths(day(2024, 1, 31), 1)), '2024-02-29')
  t.equal(amountInWords(1_137_550), 'Eleven Thousand Three Hundred Seventy-Five and 50/100 Dollars')
  t.equal(grouped(123_456_789), '1,234,567.89')
  t.equal(grouped(18_450_050, '.', ','), '184.500,50')
  t.equal(grouped(5), '0.05')
})
