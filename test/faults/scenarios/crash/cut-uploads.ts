import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { JURISDICTION, KEY, startSystem } from '../../harness/system.ts'
import { submit } from '../../load/client.ts'
import { permits, type Submission } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, round, type Scenario } from '../scenario.ts'

/** Sends the head and so many bytes of a body, and stays there. Answers what came back by the time the line was cut. */
function sendPart(
  port: number,
  key: string,
  { bytes, type }: Submission,
  sent: number
): { over: Promise<string>; flushed: Promise<void> } {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', block => {
    answer += block.toString('latin1')
  })
  socket.on('error', () => undefined)
  const over = new Promise<string>(resolve => {
    socket.on('close', () => resolve(answer))
  })
  const head = [
    `POST /v1/batches?profile=permit&jurisdiction=${JURISDICTION} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${KEY}`,
    `content-type: ${type}`,
    `idempotency-key: ${key}`,
    `content-length: ${bytes.length}`
  ]
  const flushed = new Promise<void>(resolve => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(bytes.subarray(0, sent), () => resolve())
    socket.on('close', () => resolve())
  })
  return { over, flushed }
}

/** C-6. */
export const cutUploads: Scenario = {
  id: 'C-6',
  title: 'the API is killed while uploads are on their way, at any byte',
  short: { uploads: 24, atOnce: 8 },
  full: { uploads: 500, atOnce: 10 },
  async run(context) {
    const { world, chance, size } = context
    const { uploads = 0, atOnce = 8 } = size
    const system = await startSystem(world)
    const history = new History()
    let acked = 0
    const retries: number[] = []
    try {
      for (let at = 0; at < uploads; at += atOnce) {
        const set = Array.from({ length: Math.min(atOnce, uploads - at) }, (_, i) => {
          const key = `${chance.seed}-${at + i}`
          return { key, submission: permits(chance, `${chance.seed}N${at + i}`, chance.between(200, 8000)) }
        })
        const port = Number(new URL(system.address()).port)
        const lines = set.map(({ key, submission }) =>
          sendPart(port, key, submission, chance.below(submission.bytes.length + 1))
        )
        await Promise.all(lines.map(({ flushed }) => flushed))
        await delay(chance.between(0, 80))
        system.api.kill()
        const answers = await Promise.all(lines.map(({ over }) => over))
        acked += answers.filter(answer => answer.startsWith('HTTP/1.1 202')).length
        await system.api.untilReady()
        for (const { key, submission } of set) {
          const options = { name: 'client', address: system.address, history, chance, tries: 20 }
          const begun = performance.now()
          await submit(options, key, submission)
          retries.push(performance.now() - begun)
        }
      }
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is(history.of('ok').length === uploads, 'every upload is taken when it is sent again under its key')
      const slowest = round(Math.max(...retries) / 1000)
      return {
        figures: {
          uploads,
          'acked before the kill': acked,
          'taken on retry': history.of('ok').length,
          'slowest retry s': slowest
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
