import t from 'tap'
import {
  type ExtractionKey,
  failExtraction,
  forgiveExtraction,
  launchExtraction,
  readExtraction
} from '../../../src/db/documents/extractions.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { testDatabase } from '../../helpers/database.ts'

const RUNNING_SECONDS = 60
let made = 0
const newKey = (): ExtractionKey => ({
  jurisdiction: '53033',
  sha256: Buffer.alloc(32, (made += 1)),
  extractor: 'x@1',
  mediaType: 'text/plain'
})

const stands = async (pool: Pool, key: ExtractionKey) => {
  const known = await readExtraction(pool, key, RUNNING_SECONDS)
  return [known?.launches, known?.running]
}

t.test('a launch that is forgiven takes back its own count, never that of one beside it', async t => {
  const { pool } = await testDatabase(t)
  const launch = (key: ExtractionKey) => launchExtraction(pool, key, RUNNING_SECONDS)
  const crashed = { ok: false, reason: 'EXTRACTION_FAILED' }

  const alone = newKey()
  await forgiveExtraction(pool, alone, await launch(alone))
  t.same(await stands(pool, alone), [0, false], 'alone')

  const afterCrash = newKey()
  await launch(afterCrash)
  await failExtraction(pool, afterCrash, crashed)
  await forgiveExtraction(pool, afterCrash, await launch(afterCrash))
  t.same(await stands(pool, afterCrash), [1, false], 'the crash before it stays counted')

  const earlierForgiven = newKey()
  const first = await launch(earlierForgiven)
  await launch(earlierForgiven)
  await forgiveExtraction(pool, earlierForgiven, first)
  t.same(await stands(pool, earlierForgiven), [1, true], 'the later one is still at work, and counted')
  await failExtraction(pool, earlierForgiven, crashed)
  t.same(await stands(pool, earlierForgiven), [1, false], 'and its crash stays counted')

  const bothForgiven = newKey()
  const [one, two] = [await launch(bothForgiven), await launch(bothForgiven)]
  await forgiveExtraction(pool, bothForgiven, one)
  await forgiveExtraction(pool, bothForgiven, two)
  t.same(await stands(pool, bothForgiven), [0, false], 'both were no doing of the document')

  const twice = newKey()
  await launch(twice)
  await failExtraction(pool, twice, crashed)
  const again = await launch(twice)
  await forgiveExtraction(pool, twice, again)
  await forgiveExtraction(pool, twice, again)
  t.same(await stands(pool, twice), [1, false], 'forgiven once')
})
