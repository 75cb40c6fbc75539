import { frameOf, readFrames } from '../frames.ts'

const MAX_REQUEST_BYTES = 1_000_000

/** Says that this process is ready, then answers the requests on its standard input, one at a time. */
export async function serve(answerTo: (request: Buffer) => Promise<Buffer>): Promise<void> {
  // Readers of documents talk to the console; the standard output belongs to the answers.
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => {}
  // A promise that a reader forgot is no reason to lose the document being read.
  process.on('unhandledRejection', () => {})
  process.stdout.write(frameOf(Buffer.from('{"ready":true}')))
  for await (const request of readFrames(process.stdin, MAX_REQUEST_BYTES)) {
    const answer = await answerTo(request)
    await new Promise<void>(resolve => process.stdout.write(frameOf(answer), () => resolve()))
  }
}
