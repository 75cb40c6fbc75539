/**
 * Writes generated documents and their truth: `node bench/generate-documents.ts FOLDER [--count N] [--seed N]
 * [--papers GROUP]`; with a group, of the papers of that group. Score
 * them with `node bench/score-documents.ts FOLDER/truth.jsonl`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDocuments } from './documents/generate/documents.ts'
import { generatePapers } from './documents/generate/papers.ts'

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    papers: { type: 'string' }
  }
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name a folder.')
mkdirSync(folder, { recursive: true })
const lines: string[] = []
const [count, seed] = [Number(args.count), Number(args.seed)]
const documents = args.papers === undefined ? generateDocuments(count, seed) : generatePapers(args.papers, count, seed)
for await (const { entry, content } of documents) {
  writeFileSync(join(folder, entry.path), content)
  lines.push(JSON.stringify(entry))
}
writeFileSync(join(folder, 'truth.jsonl'), `${lines.join('\n')}\n`)
