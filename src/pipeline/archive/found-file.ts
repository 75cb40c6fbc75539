import type { PlannedFile } from '../../media/plan-content.ts'
import type { Spooled } from '../../storage/payload-store.ts'

/** A file that was taken out of an archive and is not recorded yet. */
export interface FoundFile extends PlannedFile {
  readonly id: string
  readonly number: number
  /** With the path that leads to it, from the name of the file that was sent. */
  readonly filename: string
  readonly archiveId: string
  readonly spooled: Spooled
  /** Where it is stored; null while it is in the spool. */
  readonly payloadUri: string | null
}
