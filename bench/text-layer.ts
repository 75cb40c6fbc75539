/**
 * Pages of a text layer read in a second of processor time, with the place of every word, beside `pdftotext -bbox` (and
 * pdfminer, when `python3` has it) on the same files: `node bench/text-layer.ts FOLDER… [--rounds N]`. Each round reads every
 * file with each reader in turn, so that all meet the same machine. This reader and pdfminer stay in a process each, as they
 * would where many files come; pdftotext can only be started for each file, and what that alone costs is told. A first
 * round is not counted, and files in which no text is found are left out.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Cost } from './documents/resident/reader.ts'

const { values: args, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } }
})

const RESIDENT = join(import.meta.dirname, 'documents/resident')
/** As an extraction process of 512 MB or more is started. */
const YOUNG = '--max-semi-space-size=16'

/** Processor seconds of one reading of the file at a path. */
type Reader = (path: string) => Promise<number>

const children: ChildProcess[] = []

function ourReader(): (path: string) => Promise<Cost> {
  const child = fork(join(RESIDENT, 'reader.ts'), { execArgv: [YOUNG] })
  children.push(child)
  return async path => {
    child.send(path)
    const [cost] = (await once(child, 'message')) as [Cost]
    return cost
  }
}

async function pdfminer(): Promise<Reader> {
  const child = spawn('python3', [join(RESIDENT, 'read_with_pdfminer.py')], { stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return async path => {
    child.stdin.write(`${path}\n`)
    const [line] = (await once(lines, 'line')) as [string]
    return Number(line)
  }
}

/** Runs a command from a shell that tells afterwards what it cost. */
function spawned(command: string, path: string): Promise<number> {
  const script = `${command} >/dev/null 2>&1; times`
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', path], { encoding: 'utf8' })
  const times = [...(stdout.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return Promise.resolve(times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0))
}

const has = (command: string, ...own: readonly string[]): boolean => spawnSync(command, own).status === 0
if (!has('pdftotext', '-v')) throw new Error('pdftotext is not installed: it comes with poppler-utils.')

const read = ourReader()
const READERS: Record<string, Reader> = {
  'this reader': async path => (await read(path)).seconds,
  pdftotext: path => spawned('pdftotext -bbox "$1" /dev/null', path),
  'pdftotext started in vain': path => spawned('pdftotext -v', path)
}
if (has('python3', '-c', 'import pdfminer')) READERS['pdfminer'] = await pdfminer()

const files: string[] = []
let pages = 0
for (const folder of folders) {
  for (const name of readdirSync(folder).filter(each => each.endsWith('.pdf'))) {
    const path = join(folder, name)
    const found = (await read(path)).pages
    if (found > 0) files.push(path)
    pages += found
  }
}
if (pages === 0) throw new Error('Name folders with PDF files that have text.')

const seconds = new Map<string, number[]>(Object.keys(READERS).map(name => [name, []]))
for (let round = 0; round <= Number(args.rounds); round += 1) {
  const spent = new Map<string, number>()
  for (const file of files) {
    for (const [name, reader] of Object.entries(READERS)) spent.set(name, (spent.get(name) ?? 0) + (await reader(file)))
  }
  if (round > 0) for (const [name, sum] of spent) seconds.get(name)?.push(sum)
}
for (const child of children) child.kill()

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const own = median(seconds.get('this reader') ?? [])
console.log(`${files.length} files, ${pages} pages, median of ${args.rounds} rounds`)
for (const [name, spent] of seconds) {
  const [least, most] = [Math.min(...spent), Math.max(...spent)].map(value => value.toFixed(2))
  const rate = (pages / median(spent)).toFixed(0)
  const ratio = (median(spent) / own).toFixed(2)
  console.log(
    `${name}: ${rate} pages per processor second (${least}–${most} s); this reader has ${ratio} times as many`
  )
}
