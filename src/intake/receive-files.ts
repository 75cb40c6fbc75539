import { crashPoint } from '../crash-points.ts'
import { AppError } from '../errors.ts'
import { cleanFileName, cleanMediaType } from '../media/file-name.ts'
import type { PayloadStore, Spooled } from '../storage/payload-store.ts'
import { pump } from './pump.ts'
import { addField, type GivenFields } from './request-fields.ts'
import type { Part, ReceivedFile, Submission } from './submission.ts'

export interface Received {
  readonly fields: GivenFields
  readonly files: readonly ReceivedFile[]
}

export interface ReceiveDeps {
  readonly store: PayloadStore
  readonly limits: { readonly fileBytes: number; readonly requestBytes: number; readonly parts: number }
}

const tooLarge = (limitBytes: number): AppError =>
  new AppError('FILE_TOO_LARGE', `A file is larger than ${limitBytes} bytes, the most this service takes.`, {
    details: { limit_bytes: limitBytes }
  })

async function spoolFile(
  deps: ReceiveDeps,
  part: Extract<Part, { kind: 'file' }>,
  signal: AbortSignal
): Promise<Spooled> {
  const spool = deps.store.createSpool({ limitBytes: deps.limits.fileBytes })
  await pump(part.stream, spool, signal)
  const spooled = spool.result()
  if (!part.truncated()) return spooled
  await deps.store.discard(spooled.name)
  throw tooLarge(deps.limits.fileBytes)
}

function readField(fields: GivenFields, part: Extract<Part, { kind: 'field' }>): void {
  if (part.truncated) throw new AppError('REQUEST_TOO_LARGE', 'A form field is longer than this service takes.')
  addField(fields, part.name, part.value)
}

function checkTotals(deps: ReceiveDeps, files: readonly ReceivedFile[]): void {
  const { parts, requestBytes } = deps.limits
  if (files.length > parts) {
    throw new AppError('TOO_MANY_PARTS', `A request may hold ${parts} files at most.`, { details: { limit: parts } })
  }
  if (files.reduce((sum, file) => sum + file.size, 0) > requestBytes) {
    throw new AppError('REQUEST_TOO_LARGE', `A request may hold ${requestBytes} bytes at most.`, {
      details: { limit_bytes: requestBytes }
    })
  }
}

async function readParts(
  deps: ReceiveDeps,
  submission: Submission,
  fields: GivenFields,
  files: ReceivedFile[]
): Promise<void> {
  for await (const part of submission.parts()) {
    submission.signal.throwIfAborted()
    if (part.kind === 'field') {
      readField(fields, part)
      continue
    }
    const spooled = await spoolFile(deps, part, submission.signal)
    crashPoint('intake.file-spooled')
    files.push({
      filename: cleanFileName(part.filename, files.length + 1),
      declaredType: cleanMediaType(part.declaredType),
      spoolName: spooled.name,
      size: spooled.size,
      sha256: spooled.sha256
    })
    checkTotals(deps, files)
  }
  submission.signal.throwIfAborted()
}

function checkContent(submission: Submission, files: readonly ReceivedFile[]): void {
  if (files.length === 0) throw new AppError('BODY_EMPTY', 'The request holds no file. Send at least one.')
  if (submission.isRaw && files[0]?.size === 0) {
    throw new AppError('BODY_EMPTY', 'The request body holds no bytes. Send the file again.')
  }
}

/** What a failure of reading means: our own codes as they are, the reason of an abort, anything else a broken body. */
function receiveError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof AppError) return error
  if (signal.aborted && signal.reason instanceof AppError) return signal.reason
  return new AppError('BODY_MALFORMED', 'The request body could not be read to its end.', { cause: error })
}

/**
 * Reads a body to its end, every file into the spool. Guarantee: it returns only when all parts were read whole and all
 * limits held; when it throws, nothing is left in the spool.
 */
export async function receiveFiles(deps: ReceiveDeps, submission: Submission, fields: GivenFields): Promise<Received> {
  const files: ReceivedFile[] = []
  try {
    await readParts(deps, submission, fields, files)
    checkContent(submission, files)
    return { fields, files }
  } catch (error) {
    await discardFiles(deps.store, files)
    throw receiveError(error, submission.signal)
  }
}

/** Removes received files from the spool; what cannot be removed is left to the sweeper. */
export async function discardFiles(store: PayloadStore, files: readonly ReceivedFile[]): Promise<void> {
  await Promise.allSettled(files.map(file => store.discard(file.spoolName)))
}
