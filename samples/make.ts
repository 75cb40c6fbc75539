import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildSamples, SEED } from './generate/build.ts'

const seed = Number(process.argv[2] ?? SEED)
if (!Number.isSafeInteger(seed)) throw new RangeError('the seed must be a whole number')

console.log(`seed ${seed}`)
for (const [path, content] of await buildSamples(seed)) {
  const target = join(import.meta.dirname, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, content)
  console.log(`${String(content.length).padStart(8)}  ${path}`)
}
