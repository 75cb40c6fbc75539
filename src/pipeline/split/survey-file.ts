import { readBatchOptions } from '../../db/batches.ts'
import type { Queryable } from '../../db/pool.ts'
import type { SplitWork } from '../../db/work/splits.ts'
import { encodingByHead } from '../../tabular/text/detect-encoding.ts'
import { EncodingSurvey } from '../../tabular/text/survey.ts'

export interface SurveyedFile {
  /** Its first bytes. */
  readonly head: Buffer
  /** The encoding declared with the submission or by its source. */
  readonly declared: string | undefined
  /** Opens the file from its first byte. */
  readonly open: () => Promise<AsyncIterable<Uint8Array>>
}

/**
 * What the bytes of a whole file tell of its encoding, or nothing where its beginning or its source tells it already. A
 * file whose first accent stands in its last row is not decided by its first megabyte. Memory does not grow with the file.
 */
export async function surveyFile(file: SurveyedFile, signal: AbortSignal): Promise<EncodingSurvey | undefined> {
  if (encodingByHead(file.head, file.declared) !== null) return undefined
  const survey = new EncodingSurvey()
  for await (const bytes of await file.open()) {
    signal.throwIfAborted()
    survey.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  survey.add(Buffer.alloc(0), true)
  return survey
}

/** The encoding that the files of a batch were declared to have when they were sent. */
export async function declaredEncoding(
  db: Queryable,
  { jurisdiction, batchId }: Pick<SplitWork, 'jurisdiction' | 'batchId'>
): Promise<string | null> {
  const { encoding } = await readBatchOptions(db, jurisdiction, batchId)
  return typeof encoding === 'string' ? encoding : null
}
