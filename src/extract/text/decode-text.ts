import { withoutUnseen } from '../unseen-signs.ts'

/** Text of a plain file: by its byte order mark, else UTF-8 when it is valid, else windows-1252. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be')
  try {
    return decode(bytes, 'utf-8', true)
  } catch {
    return decode(bytes, 'windows-1252')
  }
}

function decode(bytes: Buffer, encoding: string, fatal = false): string {
  const text = new TextDecoder(encoding, { fatal }).decode(bytes)
  // No stored text may hold NUL; other controls would only hide what is written.
  return withoutUnseen(text.toWellFormed().replace(/(?![\t\n\v\f\r])\p{Cc}/gu, '\ufffd'))
}
