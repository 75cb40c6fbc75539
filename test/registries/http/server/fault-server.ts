import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { Json } from '../../../../src/model/json.ts'
import type { Random } from '../../../normalize/properties/random.ts'
import { FAULTS, send } from './faults.ts'
import { answer, type Question, type Reply } from './protocols.ts'

export interface FaultServerOptions {
  readonly random: Random
  /** Of a hundred calls so many are spoiled. */
  readonly percent?: number
  /** Which faults there are; all unless given. */
  readonly faults?: readonly string[]
  readonly maxRecordCount?: number
  /** Of ArcGIS: it does not say that it kept rows back. */
  readonly isSilent?: boolean
}

export interface FaultServer {
  readonly origin: string
  readonly calls: () => number
  /** Calls that came to another host than the one that was configured. */
  readonly strayCalls: () => number
  /** How often each fault was made. */
  readonly made: ReadonlyMap<string, number>
  readonly questions: readonly Question[]
  /** Every further call is answered so; undefined: as the options say. */
  force(fault: string | undefined): void
  /** Of a hundred further calls so many are spoiled. */
  spoil(percent: number): void
  close(): Promise<void>
}

function parsed(text: string, type: string): { form: URLSearchParams; body: Json | undefined } {
  if (type.startsWith('application/json')) return { form: new URLSearchParams(), body: JSON.parse(text) as Json }
  return { form: new URLSearchParams(text), body: undefined }
}

async function readQuestion(request: IncomingMessage): Promise<Question> {
  const url = new URL(request.url ?? '/', 'http://registry')
  const { form, body } = parsed(await readText(request), request.headers['content-type'] ?? '')
  const parameters = new URLSearchParams([...url.searchParams, ...form])
  return { method: request.method ?? '', path: url.pathname, parameters, body, headers: request.headers }
}

/** A server of somebody else: whoever follows a redirect to it gets a well-formed answer that there is nothing. */
async function startElsewhere() {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    send(response, 200, { features: [], data: { parcels: [] }, total: 0 })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, calls: () => calls, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function silenced(reply: Reply): Reply {
  const { exceededTransferLimit: _, ...body } = reply.body as { readonly [name: string]: Json }
  return { ...reply, body }
}

/** A registry of 250,000 numbers that speaks ArcGIS, Socrata and JSON over real HTTP, and fails as it is told to. */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const { random, faults = Object.keys(FAULTS), maxRecordCount = 1000 } = options
  const elsewhere = await startElsewhere()
  const made = new Map<string, number>()
  const questions: Question[] = []
  let calls = 0
  let forced: string | undefined
  let percent = options.percent ?? 0
  const choose = (): string | undefined => forced ?? (random.below(100) < percent ? random.pick(faults) : undefined)
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    calls += 1
    const fault = choose()
    const question = await readQuestion(request)
    questions.push(question)
    if (questions.length > 100) questions.shift()
    const right = options.isSilent ? silenced(answer(question, maxRecordCount)) : answer(question, maxRecordCount)
    const spoil = fault === undefined ? undefined : FAULTS[fault]
    if (fault === undefined || !spoil) return send(response, right.status, right.body)
    made.set(fault, (made.get(fault) ?? 0) + 1)
    spoil({ response, reply: right, random, elsewhere: elsewhere.origin, target: request.url ?? '/' })
  }
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    strayCalls: elsewhere.calls,
    made,
    questions,
    force(fault) {
      forced = fault
    },
    spoil(next) {
      percent = next
    },
    async close() {
      for (const one of [server, elsewhere.server]) {
        one.close()
        one.closeAllConnections()
        await once(one, 'close')
      }
    }
  }
}
