import { z } from 'zod'
import type { StoredCheckpoint } from '../../db/log/checkpoints.ts'

const Hash = z.string().meta({ description: 'SHA-256 in hex' })
export const HashPath = z.array(Hash).meta({ description: 'RFC 6962 audit path, from below' })

export const CheckpointBody = z
  .object({
    jurisdiction: z.string(),
    size: z.number().int().meta({ description: 'Commits in the log' }),
    root: Hash,
    note: z.string().meta({ description: 'Signed note (C2SP tlog-checkpoint)' }),
    created_at: z.string().meta({ format: 'date-time' })
  })
  .meta({ id: 'Checkpoint' })

/** A checkpoint as answered. */
export const presentCheckpoint = (jurisdiction: string, stored: StoredCheckpoint): z.infer<typeof CheckpointBody> => ({
  jurisdiction,
  size: stored.size,
  root: stored.root.toString('hex'),
  note: stored.note,
  created_at: stored.createdAt
})

/** Hashes of a path as answered. */
export const presentPath = (path: readonly Buffer[]): string[] => path.map(hash => hash.toString('hex'))
