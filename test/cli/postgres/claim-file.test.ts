import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { claimFile, isRunning, processName, releaseFile } from '../../../src/cli/postgres/claim-file.ts'

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'docket-claim-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a claim names its holder until it is given back', async t => {
  const folder = freshFolder(t)
  const path = join(folder, 'owner')
  t.equal(await claimFile(path), undefined)
  t.match(await claimFile(path), { pid: process.pid })
  await releaseFile(path)
  t.equal(await claimFile(path), undefined)
  t.strictSame(readdirSync(folder), ['owner'], 'nothing else is left behind')
})

test('a claim of a process that ended, of a later process with its pid, or without sense is taken over', async t => {
  const path = join(freshFolder(t), 'owner')
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  for (const dead of [JSON.stringify({ pid: child.pid }), 'torn', '{}', '[]', '{"pid":"x"}']) {
    writeFileSync(path, dead)
    t.equal(await claimFile(path), undefined, dead)
    t.match(JSON.parse(readFileSync(path, 'utf8')), { pid: process.pid })
  }
  const own = processName(process.pid)
  if (own?.startedAt === undefined) return
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: `${own.startedAt}1` }))
  t.equal(await claimFile(path), undefined, 'same pid, started at another time')
})

test('a process is known by pid and start', t => {
  const own = processName(process.pid)
  t.ok(own !== undefined && isRunning(own))
  t.notOk(isRunning({ pid: process.pid, startedAt: '1' }) && process.platform === 'linux')
  t.end()
})
