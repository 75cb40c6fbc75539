import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { machineIsolation } from '../../../src/extract/isolation.ts'
import { fixture, PDF } from '../extractor-fixture.ts'
import { childrenOf, limitsOf } from '../isolation/processes.ts'
import { shown, testRenderer } from './render-fixture.ts'

const PAGE = { number: 1, size: 'small' } as const

t.test('a drawing process is shut in like one that reads, and started when a page is wanted', async t => {
  const renderer = testRenderer(t, { memoryMb: 512, seconds: 20, tempDir: join(t.testdir(), 'draw') })
  t.strictSame(childrenOf(process.pid), [], 'none before')
  shown(await renderer.draw(fixture('pdf/pt01.pdf'), PDF, PAGE))
  const [pid = 0, ...others] = childrenOf(process.pid)
  t.strictSame(others, [], 'one slot, one process')
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  t.ok(command.includes('--permission'))
  t.strictSame(
    command.filter(part => /^--allow-(?!fs-read=)/.test(part)),
    [],
    'no leave for anything but reading'
  )
  t.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '', 'no environment')
  const { missing } = machineIsolation()
  if (!missing.includes('prlimit')) {
    t.equal(limitsOf(pid).get('Max open files'), '64')
    t.equal(limitsOf(pid).get('Max file size'), '0')
    t.equal(limitsOf(pid).get('Max cpu time'), '42')
  }
  const networkOf = (who: number | string): string => readlinkSync(`/proc/${who}/ns/net`)
  if (!missing.includes('unshare')) t.not(networkOf(pid), networkOf('self'), 'a network of its own, which is none')
  shown(await renderer.draw(fixture('pdf/pt05.pdf'), PDF, PAGE))
  t.strictSame(childrenOf(process.pid), [pid], 'the same process draws the next page')
})
