import { generateKeyPairSync } from 'node:crypto'
import { signNote } from '../../../../src/audit/log/signing/signed-note.ts'
import { originOf } from '../../../../src/audit/log/signing/signing-keys.ts'
import { JURISDICTION } from '../../../helpers/factory.ts'
import { DOWNLOADED, type Fault, fault, forged } from './fault.ts'

/** The deployment's own key, and one that somebody else made. */
export const OWN = generateKeyPairSync('ed25519').privateKey
const STRANGER = generateKeyPairSync('ed25519').privateKey
export const ORIGIN = 'test'

const LAST = 'size = (select max(size) from audit_checkpoint)'
const checkpoint = `returning 'checkpoint ' || size`
const tile = `returning 'tile ' || level || '/' || index`

const resigned = (name: string, key: typeof OWN): Fault['plant'] => {
  return async db => {
    const text = await db.run(
      `select $1 || substring(note from position(E'\\n' in note) for position(E'\\n\\n' in note) - position(E'\\n' in note) + 1)
       from audit_checkpoint where ${LAST}`,
      [name]
    )
    return db.run(`update audit_checkpoint set note = $1 where ${LAST} ${checkpoint}`, [signNote(text, name, [key])])
  }
}

const name = originOf(ORIGIN, JURISDICTION)

/** Faults in the log, its tiles and its checkpoints, some with everything forged that depends on them. */
// biome-ignore format: one fault a line
export const LOG_FAULTS: Fault[] = [
  fault('commit-sealed', 'a commit taken out of the log', `update audit_commit set leaf_index = null, committed_at = committed_at - interval '2 days' where leaf_index = (select max(leaf_index) from audit_commit) returning id`, ['checkpoint-root']),
  fault('leaf-gap', 'a place left out', `update audit_commit set leaf_index = leaf_index + 1 where leaf_index = (select max(leaf_index) from audit_commit) returning id`),
  fault('leaf-gap', 'a place twice', `update audit_commit set leaf_index = leaf_index - 1 where leaf_index = (select max(leaf_index) from audit_commit) returning id`),
  fault('log-tile', 'a bit of a tile', `update audit_tile set hashes = set_bit(hashes, 77, 1 - get_bit(hashes, 77)) where level = 0 ${tile}`),
  fault('log-tile', 'a tile deleted', `delete from audit_tile where level = 1 ${tile}`),
  fault('log-tile', 'a tile too many', `insert into audit_tile select jurisdiction, level, index + 1, hashes from audit_tile where level = 0 ${tile}`),
  fault('log-tile', 'two commits in each other’s place', `update audit_commit set leaf_index = 3 - leaf_index where leaf_index in (1, 2) returning 'tile 0/0'`, ['checkpoint-root']),
  fault('checkpoint-missing', 'the last checkpoint deleted', async db => {
    await db.run(`delete from audit_checkpoint where ${LAST} returning 1`)
    return db.run(`select 'checkpoint ' || max(size) from audit_checkpoint`)
  }),
  fault('checkpoint-root', 'another root', `update audit_checkpoint set root = sha256('') where ${LAST} ${checkpoint}`, ['checkpoint-note']),
  fault('checkpoint-root', 'an entry forged with its hash, its row and the root of its commit', async db => {
    await forged(DOWNLOADED, 2, entry => ({ ...entry, actor: 'key:other' }))(db)
    return db.run(`select 'checkpoint ' || min(size) from audit_checkpoint where size > (select leaf_index from audit_commit c
      join audit_trail e on audit_commit_of(e.entry) = c.id::text where e.subject_id = ${DOWNLOADED} and seq = 2)`)
  }, ['log-tile']),
  fault('checkpoint-note', 'the note of another size', `update audit_checkpoint set note = (select note from audit_checkpoint order by size limit 1) where ${LAST} ${checkpoint}`),
  fault('checkpoint-note', 'no note', `update audit_checkpoint set note = 'nothing' where ${LAST} ${checkpoint}`),
  fault('checkpoint-note', 'the note of another log', resigned(originOf(ORIGIN, 'other'), OWN)),
  fault('checkpoint-signature', 'signed by a key that is not known', resigned(name, STRANGER)),
  fault('checkpoint-signature', 'a signature of another text', `update audit_checkpoint set note = split_part(note, E'\\n\\n', 1) || E'\\n\\n' || (select split_part(note, E'\\n\\n', 2) from audit_checkpoint order by size limit 1) where ${LAST} ${checkpoint}`)
]
