import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TextItem } from 'tesseract-wasm'
import type { OcrEngine, ReadWord } from '../engine.ts'
import type { GreyImage } from '../image/grey.ts'

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('tesseract-wasm')))
const MODEL = readFileSync(join(import.meta.dirname, 'model', 'eng.traineddata.gz'))
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }

export const name = `tesseract-wasm@${version} eng-fast-${createHash('sha256').update(MODEL).digest('hex').slice(0, 8)}`

const STARTS_LINE = 1

/** Tesseract as WebAssembly, on the calling thread, with the fast model for English. */
export async function createEngine(): Promise<OcrEngine> {
  const { createOCREngine } = await import('tesseract-wasm')
  const tesseract = await createOCREngine({
    wasmBinary: readFileSync(join(packageFolder, 'dist', 'tesseract-core.wasm'))
  })
  tesseract.loadModel(gunzipSync(MODEL))
  return {
    read(image) {
      tesseract.loadImage(toRgba(image))
      try {
        return toWords(tesseract.getTextBoxes('word'))
      } finally {
        tesseract.clearImage()
      }
    }
  }
}

function toRgba({ width, height, data }: GreyImage): { data: Uint8ClampedArray; width: number; height: number } {
  const rgba = new Uint32Array(width * height)
  for (let at = 0; at < rgba.length; at++) rgba[at] = 0xff000000 | ((data[at] ?? 0) * 0x010101)
  return { data: new Uint8ClampedArray(rgba.buffer), width, height }
}

function toWords(items: readonly TextItem[]): ReadWord[] {
  let line = 0
  return items.map(({ text, rect, confidence, flags }) => {
    if ((flags & STARTS_LINE) !== 0) line += 1
    return { text, ...rect, confidence, line }
  })
}
