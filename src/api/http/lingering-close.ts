import type { FastifyRequest } from 'fastify'

/** How much of a refused body is still read, so that the client sees the answer before the connection ends. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * A hook for answers that came before the body was read: takes a little more of it, then ends the connection. Closing at
 * once would make many clients lose the answer; reading on would let a refused client send gigabytes.
 */
export const lingeringClose =
  (maxMs: number) =>
  async (request: FastifyRequest): Promise<void> => {
    const { raw } = request
    if (raw.complete || raw.destroyed) return
    const end = (): void => {
      raw.socket.destroy()
    }
    const timer = setTimeout(end, maxMs)
    timer.unref()
    let bytes = 0
    raw.on('data', (block: Buffer) => {
      bytes += block.length
      if (bytes > MAX_BYTES) end()
    })
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  }
