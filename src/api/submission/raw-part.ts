import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Part } from '../../intake/submission.ts'
import { encodingOf } from '../../tabular/text/encodings.ts'

/** Media types taken as one raw body. */
export const RAW_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'text/markdown',
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/zip',
  'application/gzip',
  'application/octet-stream'
] as const

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tiff',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx'
}

/** The media type of a raw body without its parameters. Throws `MEDIA_TYPE_UNSUPPORTED` when it is not taken. */
export function rawTypeOf(contentType: string | undefined): string {
  const type = (contentType ?? '').slice(0, 200).split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if ((RAW_TYPES as readonly string[]).includes(type)) return type
  throw new AppError(
    'MEDIA_TYPE_UNSUPPORTED',
    `Send multipart/form-data, or one body of these types: ${RAW_TYPES.join(', ')}.`
  )
}

/** The charset of a raw body, where it is the label of an encoding that is read. */
export function rawCharsetOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] =
    /;\s*charset=(?:"([^"]{1,60})"|([^\s;"]{1,60}))/i.exec((contentType ?? '').slice(0, 300)) ?? []
  const label = quoted ?? bare
  return label !== undefined && encodingOf(label) !== null ? label : undefined
}

/** A raw body as the one file part of a submission. */
export async function* rawPart(request: FastifyRequest, filename: string | undefined): AsyncIterable<Part> {
  const type = rawTypeOf(request.headers['content-type'])
  const extension = EXTENSIONS[type]
  yield {
    kind: 'file',
    filename: filename ?? (extension ? `body.${extension}` : undefined),
    declaredType: type,
    stream: request.raw,
    truncated: () => !request.raw.complete
  }
}
