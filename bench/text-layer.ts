/**
 * Pages of a text layer read in a second of processor time, with the place of every word, beside `pdftotext -bbox` (and
 * pdfminer, when Python has it) on the same files: `node bench/text-layer.ts FOLDER… [--rounds N]`. Each round reads every
 * file with each reader in turn, so that all meet the same machine. Files that no reader finds text in are left out.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDocument } from '../src/extract/child/read-document.ts'
import { encodeAnswer } from '../src/extract/wire.ts'

const { values: args, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } }
})

const LIMITS = { pages: 2000, characters: 20_000_000 }
const PDFMINER = 'import sys;from pdfminer.high_level import extract_pages;[0 for _ in extract_pages(sys.argv[1])]'

interface File {
  readonly path: string
  readonly bytes: Buffer
  readonly pages: number
}

/** Processor seconds of one reading. */
type Reader = (file: File) => Promise<number>

async function ours({ bytes }: Pick<File, 'bytes'>): Promise<number> {
  const before = process.cpuUsage()
  encodeAnswer(await readDocument(Buffer.from(bytes), 'application/pdf', LIMITS))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Runs a command from a shell that tells afterwards what it cost. */
function spawned(command: string, ...own: readonly string[]): Promise<number> {
  const script = `${command} >/dev/null 2>&1; times`
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...own], { encoding: 'utf8' })
  const times = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return Promise.resolve(times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0))
}

const READERS: Record<string, Reader> = {
  'this reader': ours,
  'pdftotext -bbox': ({ path }) => spawned('pdftotext -bbox "$1" /dev/null', path)
}
const has = (command: string, ...own: readonly string[]): boolean => spawnSync(command, own).status === 0
if (!has('pdftotext', '-v')) throw new Error('pdftotext is not installed: it comes with poppler-utils.')
if (has('python3', '-c', 'import pdfminer')) {
  READERS['pdfminer'] = ({ path }) => spawned('python3 -c "$2" "$1"', path, PDFMINER)
}

/** A file with its pages, or null when it is not read or has no page with text. */
async function fileOf(path: string): Promise<File | null> {
  const bytes = readFileSync(path)
  const answer = await readDocument(Buffer.from(bytes), 'application/pdf', LIMITS).catch(() => null)
  if (!answer?.ok || !answer.document.pages.some(page => page.hasUsableText)) return null
  return { path, bytes, pages: answer.document.pageCount }
}

const paths = folders.flatMap(folder =>
  readdirSync(folder)
    .filter(name => name.endsWith('.pdf'))
    .map(name => join(folder, name))
)
const files: File[] = []
for (const path of paths) {
  const file = await fileOf(path)
  if (file) files.push(file)
}
const pages = files.reduce((sum, file) => sum + file.pages, 0)
if (pages === 0) throw new Error('Name folders with PDF files that have text.')

const seconds = new Map<string, number[]>()
for (let round = 0; round < Number(args.rounds); round += 1) {
  const spent = new Map<string, number>()
  for (const file of files) {
    for (const [name, read] of Object.entries(READERS)) spent.set(name, (spent.get(name) ?? 0) + (await read(file)))
  }
  for (const [name, sum] of spent) seconds.set(name, [...(seconds.get(name) ?? []), sum])
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const peer = median(seconds.get('pdftotext -bbox') ?? [])
console.log(`${files.length} files, ${pages} pages, median of ${args.rounds} rounds`)
for (const [name, spent] of seconds) {
  const [least, most] = [Math.min(...spent), Math.max(...spent)].map(value => value.toFixed(2))
  const rate = (pages / median(spent)).toFixed(0)
  console.log(
    `${name}: ${rate} pages per processor second (${least}–${most} s), ${(peer / median(spent)).toFixed(2)} of pdftotext`
  )
}
