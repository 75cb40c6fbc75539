import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docxOf } from '../../../samples/generate/documents/docx.ts'
import { type Random, randomOf } from '../../../samples/generate/random.ts'
import { endOfMonth } from '../../../src/model/calendar.ts'
import type { Generated } from './documents.ts'
import { pdfOf } from './ink.ts'
import { leasePaper, type PaperFacts, policyPaper } from './paper-facts.ts'

/**
 * A page as somebody set it, in plain text: what stands apart by two spaces stands in columns, `> ` begins running
 * text, `{name}` is a fact, `[[a||b]]` a choice of wordings, `\f` a new page.
 */
export interface Paper {
  readonly name: string
  readonly profile: 'policy' | 'lease'
  /**
   * `firm`, `home`; `other` for what is no record of the profile; `no-FIELD` for a field the paper does not state; `pair`
   * for two tenants; `rolled` for a term that ends with its month; `pdf`, `docx` or `txt` when it is that alone.
   */
  readonly traits: readonly string[]
  readonly lines: readonly string[]
}

const FOLDER = join(import.meta.dirname, '../papers')

/** The papers of one group (`1`, `2` …), in the order of their files. */
export function papersOf(group: string): Paper[] {
  return readdirSync(FOLDER)
    .filter(name => name.endsWith(`-${group}.txt`))
    .toSorted()
    .flatMap(file => readFileSync(join(FOLDER, file), 'utf8').split(/^=== /m).slice(1))
    .map(text => {
      const [head = '', ...lines] = text.replace(/\n$/, '').split('\n')
      const [name = '', profile = '', ...traits] = head.split(' ')
      if (profile !== 'policy' && profile !== 'lease') throw new Error(`paper ${name} is of no profile`)
      return { name, profile, traits, lines }
    })
}

const withWordings = (line: string, random: Random): string =>
  line.replace(/\[\[(.*?)\]\]/g, (_, ways: string) => random.pick(ways.split('||')))

/** The columns of a line: where each begins, in characters, and its text. */
function columnsOf(line: string, words: Readonly<Record<string, string>>): { at: number; text: string }[] {
  return [...line.matchAll(/\S+(?: \S+)*/g)].map(match => ({
    at: match.index,
    text: match[0].replace(/\{([A-Za-z0-9.:]+)\}/g, (_, name: string) => {
      const word = words[name]
      if (word === undefined) throw new Error(`no fact ${name}`)
      return word
    })
  }))
}

const PLACE = { left: 44, top: 48, letter: 5.15, line: 12, bottom: 740 }

function pdfPaper(lines: readonly string[], words: Readonly<Record<string, string>>, random: Random): Promise<Buffer> {
  const font = random.pick(['Helvetica', 'Helvetica', 'Times', 'Courier'] as const)
  return pdfOf({ font, size: font === 'Courier' ? 8 : 8.5 }, ink => {
    let y = PLACE.top
    for (const line of lines) {
      if (line.startsWith('\\f') || y > PLACE.bottom) {
        ink.nextPage()
        y = PLACE.top
        if (line.startsWith('\\f')) continue
      }
      if (line.startsWith('> ')) {
        y = ink.flow(PLACE.left, y, columnsOf(line.slice(2), words)[0]?.text ?? '', 520)
        continue
      }
      for (const { at, text } of columnsOf(line, words)) ink.text(PLACE.left + at * PLACE.letter, y, text)
      y += PLACE.line
    }
  })
}

/** Columns of a table begin where the columns of any of its lines begin, this many characters give or take. */
const SAME_COLUMN = 4

/** Lines of columns that follow one another, as one table: each text in the column that begins where it does. */
function tableOf(lines: readonly (readonly { at: number; text: string }[])[]): string[][] {
  const starts: number[] = []
  for (const at of lines.flatMap(line => line.map(column => column.at)).toSorted((a, b) => a - b)) {
    if (starts.length === 0 || at - (starts.at(-1) ?? 0) > SAME_COLUMN) starts.push(at)
  }
  return lines.map(line => {
    const cells = starts.map(() => '')
    for (const { at, text } of line) {
      const column = starts.findLastIndex(start => start <= at)
      cells[column] = cells[column] ? `${cells[column]} ${text}` : text
    }
    return cells
  })
}

function docxPaper(lines: readonly string[], words: Readonly<Record<string, string>>): Buffer {
  const blocks: Parameters<typeof docxOf>[0][number][] = []
  let table: { at: number; text: string }[][] = []
  const flush = (): void => {
    if (table.length > 0) blocks.push({ table: tableOf(table) })
    table = []
  }
  for (const line of [...lines, '']) {
    const columns = columnsOf(line.startsWith('\\f') ? '' : line.replace(/^> /, ''), words)
    if (columns.length > 1 || (table.length > 0 && (columns[0]?.at ?? 0) > SAME_COLUMN)) table.push(columns)
    else {
      flush()
      if (columns[0]) blocks.push({ paragraph: columns[0].text })
    }
  }
  flush()
  return docxOf(blocks)
}

function textPaper(lines: readonly string[], words: Readonly<Record<string, string>>): Buffer {
  const texts = lines.map(line => {
    if (line.startsWith('\\f')) return ''
    let text = ''
    for (const column of columnsOf(line.replace(/^> /, ''), words)) {
      text = `${text.padEnd(column.at)}${text === '' || column.at > text.length ? '' : '  '}${column.text}`
    }
    return text
  })
  return Buffer.from(`${texts.join('\n')}\n`)
}

const text = (value: PaperFacts['fields'][string] | undefined): string => (typeof value === 'string' ? value : '')

/** What a paper says otherwise than the facts drawn for it: two tenants, a term that runs to the end of its month. */
function toldFields(facts: PaperFacts, traits: readonly string[]): PaperFacts['fields'] {
  const { tenant_name: tenant = null, lease_end: end = null } = facts.fields
  const both = `${text(tenant)} and ${facts.words['person2']}`
  return {
    ...facts.fields,
    ...(traits.includes('pair') ? { tenant_name: both } : {}),
    ...(traits.includes('rolled') ? { lease_end: endOfMonth(text(end)) } : {})
  }
}

/** One document of a paper: its facts and wordings follow from the seed. */
export async function paperDocument(paper: Paper, seed: number): Promise<Generated> {
  const random = randomOf(seed)
  const has = (trait: string): boolean => paper.traits.includes(trait)
  const facts = paper.profile === 'policy' ? policyPaper(random, has('firm')) : leasePaper(random, has('home'))
  const lines = paper.lines.map(line => withWordings(line, random))
  const type = (['pdf', 'docx', 'txt'] as const).find(has) ?? random.pick(['pdf', 'pdf', 'pdf', 'docx', 'txt'] as const)
  const content =
    type === 'pdf'
      ? await pdfPaper(lines, facts.words, random)
      : type === 'docx'
        ? docxPaper(lines, facts.words)
        : textPaper(lines, facts.words)
  const fields = Object.fromEntries(
    Object.entries(toldFields(facts, paper.traits)).map(([name, value]) => [
      name,
      has('other') || has(`no-${name}`) ? null : value
    ])
  )
  const path = `${paper.profile}-${paper.name}-${seed}.${type}`
  const entry = { path, profile: paper.profile, fields, alternates: facts.alternates }
  return { entry: has('other') ? { ...entry, isOther: true } : entry, content }
}

/** That many documents of the papers of a group, papers taking turns. */
export async function* generatePapers(group: string, count: number, seed: number): AsyncGenerator<Generated> {
  const papers = papersOf(group)
  for (let at = 0; at < count; at += 1) {
    const paper = papers[at % papers.length]
    if (paper) yield await paperDocument(paper, seed * 1_000_003 + at)
  }
}
