import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { type Test, test } from 'tap'
import { loadConfig } from '../src/config.ts'

/** For one test, a machine of this many cores. */
function machineWith(t: Test, cores: number): void {
  const own = os.availableParallelism
  t.teardown(() => {
    os.availableParallelism = own
    syncBuiltinESMExports()
  })
  os.availableParallelism = () => cores
  syncBuiltinESMExports()
}

const faultsOf = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('the defaults fit a machine of any number of cores', t => {
  for (const cores of [1, 2, 12, 13, 16, 64, 256]) {
    machineWith(t, cores)
    const { chunk, document, poolMax } = loadConfig({})
    t.ok(document.slots >= 1 && document.slots <= cores, `${cores} cores`)
    t.ok(chunk.slots + document.slots + 4 <= poolMax, `${document.slots} documents on ${cores} cores`)
  }
  t.end()
})

test('as many chunks are in hand as the heap and the connections allow', t => {
  const slotsOf = (env: Record<string, string>): number => loadConfig(env).chunk.slots
  const room = Math.floor((0.7 * getHeapStatistics().heap_size_limit) / (25_000_000 * 8))
  t.equal(slotsOf({}), Math.min(8, room))
  t.equal(slotsOf({ DOCKET_DOCUMENT_CONCURRENCY: '16', DOCKET_POOL_MAX: '24' }), 2, 'what documents and scans leave')
  t.ok(
    slotsOf({ DOCKET_CHUNK_BYTES: '200000000' }) <= room / 8 + 1,
    'large chunks take fewer slots, and the start is not refused'
  )
  t.equal(slotsOf({ DOCKET_CHUNK_PREFETCH: '2' }), 2)
  t.end()
})

test('what was asked for and does not fit is refused, with the figures', t => {
  t.match(
    faultsOf({ DOCKET_DOCUMENT_CONCURRENCY: '16' }),
    /1 chunk slots \+ 16 document slots \+ 2 slots for scans \+ 4 need 23/
  )
  t.equal(faultsOf({ DOCKET_DOCUMENT_CONCURRENCY: '16', DOCKET_POOL_MAX: '24' }), '')
  t.match(faultsOf({ DOCKET_POOL_MAX: '4' }), /DOCKET_POOL_MAX is 4/)
  t.match(faultsOf({ DOCKET_DOCUMENT_MEMORY: '128' }), /DOCKET_DOCUMENT_MEMORY: .*192/)
  t.end()
})

test('every fault is named at once, without the value', t => {
  const faults = faultsOf({ DOCKET_PORT: 'eighty', DATABASE_URL: 'mysql://secret', DOCKET_CONFIDENCE: '2' })
  for (const name of ['DOCKET_PORT', 'DATABASE_URL', 'DOCKET_CONFIDENCE']) t.match(faults, name)
  t.notMatch(faults, 'secret')
  t.end()
})
