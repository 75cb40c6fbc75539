import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../../..')

t.test('documents are read when node_modules is a link to another folder', async t => {
  const folder = t.testdir()
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'temp'))
  writeFileSync(join(folder, 'lease.txt'), 'LEASE\nTenant: Example')
  writeFileSync(
    join(folder, 'main.ts'),
    `import { createExtractor } from './src/extract/extractor.ts'
    const tempDir = ${JSON.stringify(join(folder, 'temp'))}
    const extractor = createExtractor({ memoryMb: 512, seconds: 60, pages: 10, slots: 1, tempDir })
    const outcome = await extractor.extract(${JSON.stringify(join(folder, 'lease.txt'))}, 'text/plain')
    process.stdout.write(JSON.stringify(outcome))
    await extractor.close()`
  )
  const { NODE_OPTIONS: _, ...env } = process.env
  const run = spawnSync(process.execPath, [join(folder, 'main.ts')], { encoding: 'utf8', timeout: 120_000, env })
  t.match(run.stdout, /"ok":true/, run.stderr)
})
