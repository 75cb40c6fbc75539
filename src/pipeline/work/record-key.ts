import { createHash, hash } from 'node:crypto'

/** Version of the canonical form of content; raising it would make all content new. */
const FORM = '1'

/** Idempotency key of a row: what it holds, under its profile and jurisdiction, whatever file or batch it came in. Hex. */
export const rowKey = (profile: string, jurisdiction: string, content: string): string =>
  hash('sha256', `${FORM}\0${profile}\0${jurisdiction}\0row\0${content}`)

/**
 * Key of a row that is held only for what it says about another record: the same row comes to the same key, its content
 * alone does not. Otherwise the content, sent as the reason asks, would follow a record that nobody can release. Hex.
 */
export const refusedKey = (key: string): string => hash('sha256', `${FORM}\0refused\0${key}`)

/** Idempotency key of a document, or of the n-th item of a listing. Hex. */
export function documentKey(profile: string, jurisdiction: string, sha256: Buffer, item = 0): string {
  return createHash('sha256')
    .update(`${FORM}\0${profile}\0${jurisdiction}\0document\0${item}\0`)
    .update(sha256)
    .digest('hex')
}
