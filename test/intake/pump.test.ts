import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'tap'
import { pump } from '../../src/intake/pump.ts'

const never = new AbortController().signal

const sink = (take: (block: Buffer) => Error | null = () => null): Writable =>
  new Writable({ write: (block: Buffer, _encoding, done) => done(take(block)) })

test('a source is moved to its end', async t => {
  const source = new PassThrough()
  const blocks: string[] = []
  source.end('all of it')
  await pump(
    source,
    sink(block => (blocks.push(block.toString()), null)),
    never
  )
  t.equal(blocks.join(''), 'all of it')
})

test('whatever fails, the source lives and the sink does not', async t => {
  const failing = sink(() => new Error('full'))
  const source = new PassThrough()
  source.write('x')
  await t.rejects(pump(source, failing, never), { message: 'full' })
  t.notOk(source.destroyed)

  const controller = new AbortController()
  const waiting = sink()
  const given = pump(source, waiting, controller.signal)
  controller.abort(new Error('too slow'))
  await t.rejects(given, { message: 'too slow' })
  t.ok(waiting.destroyed)
  t.notOk(source.destroyed)
  await t.rejects(pump(source, sink(), controller.signal), { message: 'too slow' }, 'given up before the start')

  const cut = new PassThrough()
  const open = pump(cut, sink(), never)
  cut.write('half')
  cut.destroy()
  await t.rejects(open, { message: /before its end/ })
  await t.rejects(pump(cut, sink(), never), { message: /before its end/ }, 'already gone')

  const broken = new PassThrough()
  broken.destroy(new Error('broken'))
  await once(broken, 'error')
  await t.rejects(pump(broken, sink(), never), { message: 'broken' })
})
