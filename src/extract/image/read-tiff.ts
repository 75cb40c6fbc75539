import { checkSize, ImageFault } from './image-fault.ts'
import { rotationOf } from './orientation.ts'
import { readDirectories, sliceOf, type TiffDirectory } from './tiff-file.ts'
import { packingOf } from './tiff-packing.ts'
import { TAG } from './tiff-tags.ts'
import type { PicturePage, PicturePart } from './write-pdf.ts'

const CENTIMETRES = 3
const CENTIMETRES_PER_INCH = 2.54
const REDUCED = 1

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Every picture of a TIFF as a page, its strips or tiles as they are. Throws an ImageFault. */
export function readTiff(bytes: Buffer, mostPages: number): PicturePage[] {
  const directories = readDirectories(bytes, mostPages)
  // A smaller picture of the same page, for a preview, is no page.
  const pages = directories.filter(directory => (directory.first(TAG.subfileType, 0) & REDUCED) === 0)
  return (pages.length > 0 ? pages : directories).map(directory => readPage(bytes, directory))
}

function readPage(file: Buffer, directory: TiffDirectory): PicturePage {
  const width = directory.first(TAG.width, 0)
  const height = directory.first(TAG.height, 0)
  checkSize(width, height)
  const offsets =
    directory.all(TAG.tileOffsets).length > 0 ? directory.all(TAG.tileOffsets) : directory.all(TAG.stripOffsets)
  const counts =
    directory.all(TAG.tileCounts).length > 0 ? directory.all(TAG.tileCounts) : directory.all(TAG.stripCounts)
  const areas = areasOf(directory, width, height)
  if (offsets.length < areas.length) throw new ImageFault('FILE_CORRUPT')
  const packing = packingOf(directory)
  const parts = areas.map<PicturePart>((area, index) => {
    const offset = offsets[index] ?? 0
    const data = sliceOf(file, offset, counts[index] ?? file.length - offset)
    return { ...area, ...packing(data, area) }
  })
  const rotate = rotationOf(directory.first(TAG.orientation, 1))
  return { width, height, resolution: resolutionOf(directory), rotate, parts }
}

/** Where the parts of a picture lie: strips one below the other, tiles in rows. */
function areasOf(directory: TiffDirectory, width: number, height: number): Area[] {
  const tileWidth = directory.first(TAG.tileWidth, 0)
  const partWidth = tileWidth > 0 ? tileWidth : width
  const asked = tileWidth > 0 ? directory.first(TAG.tileHeight, 0) : directory.first(TAG.rowsPerStrip, height)
  const partHeight = tileWidth > 0 ? asked : Math.min(asked, height)
  if (partHeight <= 0) throw new ImageFault('FILE_CORRUPT')
  const areas: Area[] = []
  for (let y = 0; y < height; y += partHeight) {
    // The last strip is as high as what is left; tiles are always whole.
    const rows = tileWidth > 0 ? partHeight : Math.min(partHeight, height - y)
    for (let x = 0; x < width; x += partWidth) areas.push({ x, y, width: partWidth, height: rows })
  }
  return areas
}

function resolutionOf(directory: TiffDirectory): readonly [number, number] | null {
  const across = directory.first(TAG.resolutionX, 0)
  const down = directory.first(TAG.resolutionY, across)
  if (across <= 0 || down <= 0) return null
  const unit = directory.first(TAG.resolutionUnit, 2) === CENTIMETRES ? CENTIMETRES_PER_INCH : 1
  return [across * unit, down * unit]
}
