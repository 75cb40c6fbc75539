import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What becomes of the bytes of one direction. */
export type Fault =
  | { readonly kind: 'pass' }
  /** Every piece comes late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Bytes are swallowed and nobody is told, as behind a cable that is out. */
  | { readonly kind: 'drop' }
  /** The line is cut with a reset at the first byte. */
  | { readonly kind: 'reset' }
  /** Passes that many bytes of each connection, then resets both sides. */
  | { readonly kind: 'cut'; readonly after: number }
  /** So many bytes a second. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }

export type Direction = 'up' | 'down'

const PASS: Fault = { kind: 'pass' }
/** A trickle is let through in pieces of a tenth of a second, or byte by byte. */
const TENTH_MS = 100

export interface FaultProxy {
  readonly port: number
  /** Connections that are open. */
  readonly open: number
  /** Connections that have been cut. */
  readonly cuts: number
  /** `up` is from the client to the server. Holds for open connections as for new ones. */
  set(fault: Fault, directions?: readonly Direction[]): void
  /** Lets everything pass again; connections that lost bytes meanwhile are cut, as a host that comes back resets them. */
  heal(): void
  /** Resets every open connection. */
  resetAll(): void
  /** Keeps connections open and answers none: the peer is gone without a word. Until `heal`. */
  halfOpen(): void
  /**
   * The answer to the next COMMIT never arrives: the server has committed, the line is cut. Calls `onCut` at that moment.
   */
  cutNextCommit(onCut?: () => void): void
  close(): Promise<void>
}

interface Line {
  readonly client: net.Socket
  readonly server: net.Socket
  readonly passed: Record<Direction, number>
  /** Bytes of it were swallowed: it can never be right again. */
  isLossy: boolean
  deaf: boolean
}

const isCommit = (bytes: Buffer): boolean => /\bcommit\0$/i.test(bytes.toString('latin1'))

class Proxy implements FaultProxy {
  cuts = 0
  private readonly server: net.Server
  private readonly lines = new Set<Line>()
  private readonly target: () => { readonly host: string; readonly port: number }
  private faults: Record<Direction, Fault> = { up: PASS, down: PASS }
  private armed: (() => void) | undefined

  constructor(target: () => { readonly host: string; readonly port: number }) {
    this.target = target
    this.server = net.createServer(client => this.accept(client))
  }

  async listen(): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port
  }

  get open(): number {
    return this.lines.size
  }

  set(fault: Fault, directions: readonly Direction[] = ['up', 'down']): void {
    for (const direction of directions) this.faults[direction] = fault
  }

  heal(): void {
    this.faults = { up: PASS, down: PASS }
    for (const line of this.lines) if (line.isLossy) this.cut(line)
  }

  resetAll(): void {
    for (const line of this.lines) this.cut(line)
  }

  halfOpen(): void {
    this.set({ kind: 'drop' })
    for (const line of this.lines) {
      line.isLossy = true
      line.server.resetAndDestroy()
    }
  }

  cutNextCommit(onCut: () => void = () => undefined): void {
    this.armed = onCut
  }

  async close(): Promise<void> {
    for (const line of this.lines) this.cut(line)
    await new Promise<void>(resolve => this.server.close(() => resolve()))
  }

  private accept(client: net.Socket): void {
    const server = net.connect(this.target())
    const line: Line = { client, server, passed: { up: 0, down: 0 }, isLossy: false, deaf: false }
    this.lines.add(line)
    for (const socket of [client, server]) socket.on('error', () => undefined)
    void this.carry(line, 'up', client, server)
    void this.carry(line, 'down', server, client)
    client.on('close', () => {
      this.lines.delete(line)
      if (!line.deaf) server.destroy()
    })
    server.on('close', () => {
      // Behind a cable that is out nobody hears that the other side has gone.
      if (this.faults.down.kind !== 'drop' && !line.isLossy) client.destroy()
    })
  }

  /** One direction, piece by piece, so that order is kept whatever each piece waits for. */
  private async carry(line: Line, direction: Direction, from: net.Socket, to: net.Socket): Promise<void> {
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) await this.pass(line, direction, { bytes, to })
      if (this.faults[direction].kind !== 'drop') to.end()
    } catch {
      // The line has been cut.
    }
  }

  private async pass(line: Line, direction: Direction, { bytes, to }: { bytes: Buffer; to: net.Socket }) {
    const fault = this.faults[direction]
    if (direction === 'up' && this.armed && isCommit(bytes)) this.loseAnswer(line)
    if (direction === 'down' && line.deaf) return
    switch (fault.kind) {
      case 'pass':
        return void to.write(bytes)
      case 'delay':
        await delay(fault.ms)
        return void to.write(bytes)
      case 'drop':
        line.isLossy = true
        return
      case 'reset':
        return this.cut(line)
      case 'cut': {
        const left = Math.max(0, fault.after - line.passed[direction])
        line.passed[direction] += bytes.length
        to.write(bytes.subarray(0, left))
        if (bytes.length >= left) this.cut(line)
        return
      }
      case 'trickle':
        return this.trickle(bytes, to, fault.bytesPerSecond)
    }
  }

  private async trickle(bytes: Buffer, to: net.Socket, perSecond: number): Promise<void> {
    const size = Math.max(1, Math.floor(perSecond / 10))
    for (let at = 0; at < bytes.length && !to.destroyed; at += size) {
      to.write(bytes.subarray(at, at + size))
      await delay(Math.max(TENTH_MS, 1000 / perSecond))
    }
  }

  /** The server's next answer proves that it has committed; only then is the client's line cut. */
  private loseAnswer(line: Line): void {
    const onCut = this.armed
    this.armed = undefined
    line.deaf = true
    line.server.once('data', () => {
      this.cut(line)
      onCut?.()
    })
  }

  private cut(line: Line): void {
    this.cuts += 1
    line.client.resetAndDestroy()
    line.server.resetAndDestroy()
    this.lines.delete(line)
  }
}

/** Puts a proxy in front of an address, which may move while it runs. */
export async function startFaultProxy(
  target: () => { readonly host: string; readonly port: number }
): Promise<FaultProxy> {
  const proxy = new Proxy(target)
  await proxy.listen()
  return proxy
}
