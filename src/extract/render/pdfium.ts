import { PDFiumModule } from '@hyzyla/pdfium'
import type { Bitmap } from './png.ts'

/** Constants of PDFium's interface: fpdfview.h. */
const ERROR_PASSWORD = 4
const FORMAT_BGR = 2
const BYTES_PER_PIXEL = 3
const DRAW_ANNOTATIONS = 0x01
const RED_FIRST = 0x10
const WHITE = 0xffffffff
const FORM_INFO_BYTES = 256

/** How often a page is turned by a quarter, clockwise. */
export type Quarter = 0 | 1 | 2 | 3

/** A document that PDFium has opened. */
export interface OpenPdf {
  readonly pageCount: number
  /**
   * Draws a page, counted from 1, on white; `pixelsFor` is told its size in points, with its own rotation undone, and
   * answers the pixels, or null for a size that no page has. Null when the page cannot be read or drawn.
   */
  draw(
    page: number,
    turn: Quarter,
    pixelsFor: (width: number, height: number) => { width: number; height: number } | null
  ): DrawnBitmap | null
  close(): void
}

export interface DrawnBitmap extends Bitmap {
  /** Points, as drawn. */
  readonly points: { readonly width: number; readonly height: number }
}

/** PDFium, with its functions by names of ours. */
export type Pdfium = Awaited<ReturnType<typeof load>>

/** Loads PDFium once. What it allocates counts against the limits of the process. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= load()
  return loaded
}

let loaded: Promise<Pdfium> | undefined

async function load() {
  const module = await PDFiumModule({})
  const {
    _FPDF_InitLibraryWithConfig: initialise,
    _FPDF_LoadMemDocument: loadDocument,
    _FPDF_GetLastError: lastError,
    _FPDF_GetPageCount: countPages,
    _FPDF_LoadPage: loadPage,
    _FPDF_GetPageWidth: widthOf,
    _FPDF_GetPageHeight: heightOf,
    _FPDF_ClosePage: closePage,
    _FPDFBitmap_CreateEx: createBitmap,
    _FPDFBitmap_FillRect: fill,
    _FPDFBitmap_Destroy: destroyBitmap,
    _FPDF_RenderPageBitmap: renderPage,
    _FORM_OnAfterLoadPage: pageLoaded,
    _FORM_OnBeforeClosePage: pageCloses,
    _FPDF_FFLDraw: drawFields,
    _FPDFDOC_InitFormFillEnvironment: openFields,
    _FPDFDOC_ExitFormFillEnvironment: closeFields,
    wasmExports: { malloc, free }
  } = module
  // Without fonts of the machine: it is drawn the same everywhere.
  initialise({ version: 2 })
  const call = {
    loadDocument,
    lastError,
    countPages,
    loadPage,
    widthOf,
    heightOf,
    closePage,
    closeDocument: module['_FPDF_CloseDocument'].bind(module),
    createBitmap,
    fill,
    destroyBitmap,
    renderPage,
    pageLoaded,
    pageCloses,
    drawFields,
    openFields,
    closeFields
  }
  // The memory is another one each time it has grown.
  return { call, malloc, free, memory: () => module.HEAPU8 }
}

/** Opens a document from its bytes; the reason when it cannot be opened. */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array): OpenPdf | 'FILE_ENCRYPTED' | 'FILE_CORRUPT' {
  const data = allocate(pdfium, bytes.length)
  pdfium.memory().set(bytes, data)
  const document = pdfium.call.loadDocument(data, bytes.length, 0)
  if (document === 0) {
    const isLocked = pdfium.call.lastError() === ERROR_PASSWORD
    pdfium.free(data)
    return isLocked ? 'FILE_ENCRYPTED' : 'FILE_CORRUPT'
  }
  const form = openForm(pdfium, document)
  return {
    pageCount: pdfium.call.countPages(document),
    draw(number, turn, pixelsFor) {
      const page = pdfium.call.loadPage(document, number - 1)
      if (page === 0) return null
      try {
        const own = { width: pdfium.call.widthOf(page), height: pdfium.call.heightOf(page) }
        const points = turn % 2 === 0 ? own : { width: own.height, height: own.width }
        const pixels = pixelsFor(points.width, points.height)
        return pixels && { ...pixels, points, rgb: drawPage(pdfium, { page, form: form.handle, turn }, pixels) }
      } finally {
        pdfium.call.closePage(page)
      }
    },
    close() {
      form.close()
      pdfium.call.closeDocument(document)
      pdfium.free(data)
    }
  }
}

interface PageHandles {
  readonly page: number
  readonly form: number
  readonly turn: Quarter
}

function drawPage(
  pdfium: Pdfium,
  { page, form, turn }: PageHandles,
  pixels: { width: number; height: number }
): Uint8Array {
  const { width, height } = pixels
  const stride = width * BYTES_PER_PIXEL
  const data = allocate(pdfium, stride * height)
  const bitmap = pdfium.call.createBitmap(width, height, FORMAT_BGR, data, stride)
  try {
    if (bitmap === 0) throw new RangeError('no memory for the picture of a page')
    pdfium.call.fill(bitmap, 0, 0, width, height, WHITE)
    pdfium.call.renderPage(bitmap, page, 0, 0, width, height, turn, DRAW_ANNOTATIONS | RED_FIRST)
    if (form !== 0) {
      pdfium.call.pageLoaded(page, form)
      pdfium.call.drawFields(form, bitmap, page, 0, 0, width, height, turn, RED_FIRST)
      pdfium.call.pageCloses(page, form)
    }
    return pdfium.memory().slice(data, data + stride * height)
  } finally {
    if (bitmap !== 0) pdfium.call.destroyBitmap(bitmap)
    pdfium.free(data)
  }
}

/** The fields of a form are drawn by a second part of PDFium, which wants a table of callbacks: all of them empty. */
function openForm(pdfium: Pdfium, document: number): { readonly handle: number; close(): void } {
  const info = allocate(pdfium, FORM_INFO_BYTES)
  pdfium.memory().fill(0, info, info + FORM_INFO_BYTES)
  new DataView(pdfium.memory().buffer).setUint32(info, 2, true)
  const handle = pdfium.call.openFields(document, info)
  return {
    handle,
    close() {
      if (handle !== 0) pdfium.call.closeFields(handle)
      pdfium.free(info)
    }
  }
}

function allocate(pdfium: Pdfium, bytes: number): number {
  const at = pdfium.malloc(bytes)
  if (at === 0) throw new RangeError('no memory for a document')
  return at
}
