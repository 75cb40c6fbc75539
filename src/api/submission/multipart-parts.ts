import type { FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { Part } from '../../intake/submission.ts'
import type { BodyWatch } from './body-watch.ts'
import { DelimiterCount } from './delimiter-count.ts'

export interface MultipartLimits {
  readonly files: number
  readonly fileBytes: number
}

/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY = 70

/** Form fields beside the files; ours are five. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 4096
const MAX_FIELD_NAME = 100
const MAX_HEADER_PAIRS = 32
const MAX_HEADER_BYTES = 16_384

const BY_PARSER_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_PARTS_LIMIT: ['TOO_MANY_PARTS', 'The request has more parts than this service takes.'],
  FST_FILES_LIMIT: ['TOO_MANY_PARTS', 'The request has more files than this service takes.'],
  FST_FIELDS_LIMIT: ['TOO_MANY_PARTS', 'The request has more form fields than this service takes.'],
  FST_REQ_FILE_TOO_LARGE: ['FILE_TOO_LARGE', 'A file is larger than this service takes.'],
  FST_MP_PREMATURE_CLOSE: ['BODY_TRUNCATED', 'The connection ended before the request body.']
}

function parserError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = BY_PARSER_CODE[code]
  if (known) return new AppError(known[0], known[1], { cause: error })
  const isShort = error instanceof Error && /unexpected end|terminated early/i.test(error.message)
  return isShort
    ? new AppError('BODY_TRUNCATED', 'The multipart body ends before its closing boundary.', { cause: error })
    : new AppError('BODY_MALFORMED', 'The multipart body is not well formed.', { cause: error })
}

/** The boundary of a multipart content type. Throws `BODY_MALFORMED` when there is none or it is too long. */
function boundaryOf(contentType: string): string {
  const match = /;[ \t]*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType.slice(0, 1024))
  const boundary = match?.[1] ?? match?.[2] ?? ''
  if (boundary.length > 0 && boundary.length <= MAX_BOUNDARY) return boundary
  throw new AppError(
    'BODY_MALFORMED',
    `A multipart content type needs a boundary of 1 to ${MAX_BOUNDARY} characters. Let the client library set it.`
  )
}

/** Content in the place of a file, which a form without its file name makes a field: ignored like other fields it would be lost. */
const FILE_FIELD = 'file'

const namelessFile = (): AppError =>
  new AppError(
    'FIELD_INVALID',
    `A part called "${FILE_FIELD}" has no file name, so that it is a field and no file. Send it with one.`,
    { details: { field: FILE_FIELD } }
  )

type ParserPart = ReturnType<FastifyRequest['parts']> extends AsyncIterable<infer P> ? P : never

function toPart(part: ParserPart): Part {
  if (part.type === 'file') {
    return {
      kind: 'file',
      filename: part.filename,
      declaredType: part.mimetype,
      stream: part.file,
      truncated: () => part.file.truncated
    }
  }
  const name = part.fieldname ?? ''
  if (name === FILE_FIELD) throw namelessFile()
  // A field that calls itself JSON comes parsed.
  const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
  const isLong = part.fieldnameTruncated || part.valueTruncated || name.length > MAX_FIELD_NAME
  return { kind: 'field', name, value, truncated: isLong }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/**
 * The parts of a multipart body. Guarantee: it ends without an error only when the closing boundary was seen and every
 * delimiter's part was handed over. Waiting for the parser ends with the watch's signal.
 */
export async function* multipartParts(
  request: FastifyRequest,
  watch: BodyWatch,
  limits: MultipartLimits
): AsyncIterable<Part> {
  const count = new DelimiterCount(boundaryOf(request.headers['content-type'] ?? ''))
  const parts = request.parts({
    limits: {
      files: limits.files,
      // One byte more than is taken: the store refuses the file at that byte, instead of the rest being read for nothing.
      fileSize: limits.fileBytes + 1,
      fields: MAX_FIELDS,
      parts: limits.files + MAX_FIELDS,
      fieldSize: MAX_FIELD_BYTES,
      fieldNameSize: MAX_FIELD_NAME,
      headerPairs: MAX_HEADER_PAIRS,
      headerSize: MAX_HEADER_BYTES
    }
  })
  const onData = (block: Buffer): void => count.add(block)
  const gaveUp = aborted(watch.signal)
  gaveUp.catch(() => undefined)
  let seen = 0
  let current: ParserPart | undefined
  try {
    for (;;) {
      const next = parts.next()
      next.catch(() => undefined)
      if (seen === 0) request.raw.on('data', onData)
      const { value, done } = await Promise.race([next, gaveUp])
      watch.touch()
      if (done) break
      seen += 1
      current = value
      yield toPart(value)
      watch.touch()
    }
  } catch (error) {
    throw parserError(error)
  } finally {
    request.raw.off('data', onData)
    // A file that nobody reads to its end would keep the parser from ever ending.
    if (current?.type === 'file') current.file.destroy()
  }
  if (!count.ended) throw new AppError('BODY_TRUNCATED', 'The multipart body ends before its closing boundary.')
  if (count.parts !== seen) {
    throw new AppError('BODY_MALFORMED', 'A part of the multipart body has a header that cannot be read.', {
      details: { parts: count.parts, readable: seen }
    })
  }
}
