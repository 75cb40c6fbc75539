import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const SOURCES = join(import.meta.dirname, '..')
/** Folders whose code decides what is read out of a document. */
const FOLDERS = ['extract', 'media', 'model']
const PACKAGES = ['pdfjs-dist', 'saxes', 'yauzl']
/** What only draws pages, or recognises drawn ones, decides nothing of what is read as text. */
const DRAWING = ['render', 'image', 'ocr'].map(folder => join('extract', folder))
const DRAWING_PACKAGES = [...PACKAGES, '@hyzyla/pdfium']

/** A digest of all code that reads documents, or reads and draws them, so that no change of it can be forgotten. */
function codeDigest(isPart: (file: string) => boolean, packages: readonly string[]): string {
  const hash = createHash('sha256').update(process.version)
  const files = FOLDERS.flatMap(folder => globSync(`${folder}/**/*.ts`, { cwd: SOURCES })).toSorted()
  for (const file of files.filter(isPart)) hash.update(`\0${file}\0`).update(readFileSync(join(SOURCES, file)))
  const { resolve } = createRequire(import.meta.url)
  for (const name of packages) hash.update('\0').update(packageVersion(resolve(name), name))
  return hash.digest('hex').slice(0, 16)
}

function packageVersion(entry: string, name: string): string {
  const folder = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return `${name}@${version}`
}

type Limits = Readonly<Record<string, number>>

const versionOf = (digest: string, limits: Limits): string =>
  [digest, ...Object.entries(limits).map(([name, limit]) => `${name}=${limit}`)].join(' ')

let readingDigest: string | undefined
let drawingDigest: string | undefined

/** Names the code and the limits that documents are read under: under the same name the same bytes give the same result. */
export function extractorVersion(limits: Limits): string {
  readingDigest ??= codeDigest(file => !DRAWING.some(folder => file.startsWith(folder)), PACKAGES)
  return versionOf(readingDigest, limits)
}

/** The same for pictures of pages. */
export function rendererVersion(limits: Limits): string {
  drawingDigest ??= codeDigest(() => true, DRAWING_PACKAGES)
  return versionOf(drawingDigest, limits)
}
