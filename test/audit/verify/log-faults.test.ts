import t from 'tap'
import { sealAll } from '../../../src/audit/log/seal.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { newId } from '../../../src/model/ids.ts'
import { noteDownload } from '../../../src/review/note-download.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { LOG_FAULTS, ORIGIN, OWN } from './faults/log.ts'
import { testFaults } from './test-faults.ts'

const keys = { origin: ORIGIN, keys: [OWN], retired: [] }

/** A log of more than one tile under several checkpoints: of downloads, each of which is a commit of its own. */
async function sealed(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select id from batch where state = 'cancelled' limit 1`)
  const download = {
    kind: 'batch',
    jurisdiction: JURISDICTION,
    id: rows[0]?.id ?? '',
    what: 'x',
    actor: 'key:x'
  } as const
  const deps = { pool, ...keys }
  await sealAll(deps)
  for (let n = 0; n < 260; n += 1) {
    await noteDownload({ pool, newId }, download)
    if (n % 100 === 0) await sealAll(deps)
  }
  await sealAll(deps)
}

t.test('every fault of the log is found by its check', t => testFaults(t, LOG_FAULTS, { keys, prepare: sealed }))
