import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'tap'
import { FINDINGS } from '../../src/cli/doctor/findings.ts'
import { ERROR_CODES } from '../../src/errors.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')

/** The entries of a part of the runbook: everything set as code in the first cell of its rows. */
function entriesOf(page: string, part: string): Set<string> {
  const text = page.split('\n## Runbook\n')[1]?.split(`### By ${part}`)[1]?.split(/\n##/)[0] ?? ''
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return new Set(cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, entry = '']) => entry)))
}

async function sources(): Promise<string[]> {
  const texts: string[] = []
  for await (const path of glob('src/**/*.ts', { cwd: ROOT })) texts.push(await readFile(join(ROOT, path), 'utf8'))
  return texts
}

/** Every line a process can log as a warning or an error, by what it says. */
function linesOf(text: string): string[] {
  const calls = text.matchAll(/\b(?:logger|log)\??\.(?:error|warn|fatal)\(([\s\S]{0,300}?)'((?:[^'\\\n]|\\.)+)'\s*\)/g)
  // Of a call with a quoted word among its fields the last quoted text is the message.
  return [...calls].map(([, , message = '']) => message)
}

const metricsOf = (text: string): string[] => [...text.matchAll(/'(docket_[a-z_]+)'/g)].map(([, name = '']) => name)

const without = (wanted: Iterable<string>, entries: ReadonlySet<string>): string[] =>
  [...new Set(wanted)].filter(one => !entries.has(one)).toSorted()

test('every finding of the doctor has an entry, and no entry is of one that is not', t => {
  const entries = entriesOf(PAGE, 'finding')
  t.strictSame(without(Object.keys(FINDINGS), entries), [])
  t.strictSame(without(entries, new Set(['code', ...Object.keys(FINDINGS)])), [])
  t.strictSame(without([...Object.keys(FINDINGS), 'NEW_FINDING'], entries), ['NEW_FINDING'], 'one without is found')
  t.end()
})

test('every warning and error that is logged has an entry, and no entry is of one that is not', async t => {
  const lines = (await sources()).flatMap(linesOf)
  const entries = entriesOf(PAGE, 'log line')
  t.ok(lines.length > 30, `${lines.length} lines`)
  t.strictSame(without(lines, entries), [])
  t.strictSame(without(entries, new Set(['msg', ...lines])), [])
  const planted = `deps.logger.warn({ name: 'x', ...errorFields(error) }, 'something new')\nrequest.log.error(a, 'another')`
  t.strictSame(without(linesOf(planted), entries), ['another', 'something new'], 'one without is found')
})

test('every error code that an operator has to act on has an entry', t => {
  const entries = entriesOf(PAGE, 'code')
  const ours = Object.entries(ERROR_CODES).filter(([, { kind }]) => ['unavailable', 'internal'].includes(kind))
  t.ok(ours.length > 10)
  t.strictSame(
    without(
      ours.map(([code]) => code),
      entries
    ),
    []
  )
  t.strictSame(without(entries, new Set(['code', ...Object.keys(ERROR_CODES)])), [])
  t.end()
})

test('every metric is told of', async t => {
  const names = (await sources()).flatMap(metricsOf).filter(name => name !== 'docket_jobs')
  t.ok(names.length > 10)
  const pages = PAGE + (await readFile(join(ROOT, 'docs/registries.md'), 'utf8'))
  const told = new Set([...pages.matchAll(/`(docket_[a-z_]+)/g)].map(([, name = '']) => name))
  t.strictSame(without(names, told), [])
  t.strictSame(without([...names, 'docket_new_metric'], told), ['docket_new_metric'])
})
