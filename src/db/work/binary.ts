/** Ids packed into one parameter, 16 bytes each, in order. A packed parameter travels as it is; an array is text. */
export function packIds(ids: readonly string[]): Buffer {
  const packed = Buffer.allocUnsafe(ids.length * 16)
  ids.forEach((id, i) => packed.write(id.replaceAll('-', ''), i * 16, 'hex'))
  return packed
}

/** Keys given in hex packed into one parameter, 32 bytes each, in order. */
export function packKeys(keys: readonly string[]): Buffer {
  const packed = Buffer.allocUnsafe(keys.length * 32)
  keys.forEach((key, i) => packed.write(key, i * 32, 'hex'))
  return packed
}
