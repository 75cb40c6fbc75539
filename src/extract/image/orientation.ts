const ORIENTATION = 274

/** Degrees clockwise for each orientation of TIFF and Exif; mirrored pictures, of which no scanner makes any, stay so. */
const DEGREES: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }

/** By how much a picture of this orientation has to be turned clockwise to be seen upright. */
export const rotationOf = (orientation: number): number => DEGREES[orientation] ?? 0

/** The orientation in a block of Exif data, which is a small TIFF; 1, upright, when there is none. */
export function orientationIn(exif: Buffer): number {
  const little = exif.subarray(0, 2).toString('latin1') === 'II'
  const short = (at: number): number =>
    at + 2 > exif.length ? 0 : little ? exif.readUInt16LE(at) : exif.readUInt16BE(at)
  const long = (at: number): number =>
    at + 4 > exif.length ? 0 : little ? exif.readUInt32LE(at) : exif.readUInt32BE(at)
  const directory = long(4)
  const entries = short(directory)
  for (let entry = 0; entry < Math.min(entries, 200); entry++) {
    const at = directory + 2 + entry * 12
    if (short(at) === ORIENTATION) return short(at + 8)
  }
  return 1
}
