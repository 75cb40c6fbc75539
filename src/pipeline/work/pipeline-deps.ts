import type { Extractor } from '../../extract/extractor.ts'
import type { Logger } from '../../logger.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { LookUps } from '../../registries/look-ups.ts'
import type { OpenSources } from '../../registries/sources.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import type { CommitDeps } from '../commit/end-chunk.ts'
import type { DocumentReader } from '../documents/document-reader.ts'
import type { SoloGate } from './solo-gate.ts'

/** What the steps of a worker work with; made once when a worker, or a thread of it, starts. */
export interface PipelineDeps extends CommitDeps {
  readonly store: PayloadStore
  readonly profiles: ReadonlyMap<string, Profile>
  /** Folder for what is unpacked or copied while it is read; private to this process. */
  readonly tempFolder: string
  /** The registries of all jurisdictions, asked within limits that all slots of this process share. */
  readonly lookUps: LookUps
  /** Which registries a jurisdiction has. */
  readonly sources: OpenSources
  readonly logger: Logger
  /** The calendar day, `YYYY-MM-DD`, that two-digit years and future dates are measured from. */
  readonly today: () => string
  /** Least confidence that is accepted unseen. */
  readonly confidence: number
  /** Chunk bounds; used again when a chunk is cut in two. */
  readonly chunk: { readonly records: number; readonly bytes: number; readonly recordBytes: number }
}

/** What a chunk of rows is read and mapped with; nothing is changed by that. */
export type ReadDeps = Pick<PipelineDeps, 'pool' | 'store' | 'profiles' | 'today'>

/** What reading documents works with besides: processes and threads of their own. */
export interface DocumentDeps extends PipelineDeps {
  readonly documents: DocumentReader
  /** Reads documents and recognises their pages that have no text; none where recognition is switched off. */
  readonly recognised?: DocumentReader
}

/** What tells the jobs of a process apart: shared by all its slots, whichever thread works them. */
export interface GatedDeps {
  readonly gate: SoloGate
}

/** Everything the main thread of a worker works with. */
export interface WorkerDeps extends DocumentDeps, GatedDeps {
  readonly extractor: Extractor
}
