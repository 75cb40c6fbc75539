import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unpackAtOnce } from './inflate-at-once.ts'
import { pairedWorker, type WorkerModule } from './port-pair.ts'

/** The parts of pdfjs that are used, with its own types. */
export type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs')
export type PdfDocument = import('pdfjs-dist/legacy/build/pdf.mjs').PDFDocumentProxy
export type PdfPage = import('pdfjs-dist/legacy/build/pdf.mjs').PDFPageProxy

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const workerUrl = pathToFileURL(join(packageFolder, 'legacy/build/pdf.worker.mjs')).href

/**
 * Where pdfjs begins to decode a picture, and what is put before it: only the place and the size of a
 * picture matter here, and decoding one can cost seconds and gigabytes. When a new version of pdfjs
 * writes that line differently nothing is changed and pictures are decoded as usual.
 */
const DECODE_STARTS = 'if (maxImageSize !== -1 && w * h > maxImageSize) {'
const PLACE_ONLY =
  'if (!this.parsingType3Font) { operatorList.addImageOps(OPS.paintImageXObject, ["", w, h]); return; }\n    '

function leaveOutPictures(): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (url !== workerUrl) return nextLoad(url, context)
      const source = readFileSync(new URL(url), 'utf8')
      const parts = source.split(DECODE_STARTS)
      const changed = parts.length === 2 ? parts.join(PLACE_ONLY + DECODE_STARTS) : source
      return { format: 'module', source: changed, shortCircuit: true }
    }
  })
}

/**
 * Loads pdfjs once. To be called in an extraction process only: it parses on the calling thread, and a
 * hostile file can make it use any amount of time and memory.
 */
export function loadPdfjs(): Promise<Pdfjs> {
  loaded ??= load()
  return loaded
}

let loaded: Promise<Pdfjs> | undefined
let worker: WorkerModule | undefined

async function load(): Promise<Pdfjs> {
  leaveOutPictures()
  // Embedded fonts are never drawn; with a font interface present pdfjs does not trace their outlines.
  Object.defineProperty(globalThis, 'FontFace', {
    value: class {
      readonly loaded = Promise.resolve()
    }
  })
  unpackAtOnce()
  worker = (await import(workerUrl)) as WorkerModule
  return import('pdfjs-dist/legacy/build/pdf.mjs')
}

/** A document being opened. `destroy` gives back all that it took. */
export interface OpenDocument {
  readonly promise: Promise<PdfDocument>
  destroy(): Promise<void>
}

/** Opens a document from its bytes, which pdfjs takes over; `loadPdfjs` has been awaited. Throws pdfjs's own exceptions. */
export function openDocument(pdfjs: Pdfjs, data: Uint8Array): OpenDocument {
  if (!worker) throw new Error('pdfjs is not loaded yet.')
  const own = pairedWorker(pdfjs, worker)
  const task = pdfjs.getDocument({
    data,
    worker: own,
    verbosity: 0,
    cMapUrl: join(packageFolder, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(packageFolder, 'standard_fonts/'),
    wasmUrl: join(packageFolder, 'wasm/'),
    disableFontFace: false,
    fontExtraProperties: true,
    useSystemFonts: false,
    // Only for forms that hold no drawing of themselves; others are read as they are drawn.
    enableXfa: true,
    // A document without a window: fonts are "added" to nothing.
    ownerDocument: { fonts: { add() {}, delete() {}, *[Symbol.iterator]() {} } }
  })
  return {
    promise: task.promise,
    async destroy() {
      await task.destroy()
      own.destroy()
    }
  }
}
