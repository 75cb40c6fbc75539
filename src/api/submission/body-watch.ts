import type { IncomingMessage } from 'node:http'
import { AppError } from '../../errors.ts'

export interface BodyLimits {
  readonly requestBytes: number
  /** A body that brings fewer bytes a second than this over `stallMs` is given up. */
  readonly minBytesPerSecond: number
  readonly stallMs: number
  /** How long parsing may go on without a sign of life once the body has ended. */
  readonly graceMs: number
}

/** Watches a body while it is read, and gives it up with a reason when it can no longer be waited for. */
export interface BodyWatch {
  readonly signal: AbortSignal
  /** Says that parsing is alive. */
  touch(): void
  /** Ends the watch; must be called. */
  stop(): void
}

/** The parser may emit nothing at all for a body it chokes on, so that only a deadline ends the wait. */
function watchGrace(request: IncomingMessage, graceMs: number, giveUp: (error: AppError) => void) {
  let timer: NodeJS.Timeout | undefined
  const touch = (): void => {
    if (!request.readableEnded && !request.destroyed) return
    clearTimeout(timer)
    timer = setTimeout(
      () => giveUp(new AppError('BODY_MALFORMED', 'The request body has ended, but its parts have not.')),
      graceMs
    )
  }
  request.on('end', touch)
  return {
    touch,
    stop: () => {
      request.off('end', touch)
      clearTimeout(timer)
    }
  }
}

/** A client that sends a byte now and then would hold its connection for ever; one we do not read from is not at fault. */
function watchRate(request: IncomingMessage, limits: BodyLimits, giveUp: (error: AppError) => void): () => void {
  let before = request.socket.bytesRead
  const timer = setInterval(() => {
    const read = request.socket.bytesRead - before
    before = request.socket.bytesRead
    if (request.readableEnded || request.isPaused()) return
    if (read < (limits.minBytesPerSecond * limits.stallMs) / 1000) {
      giveUp(new AppError('BODY_TRUNCATED', 'The request body came too slowly and was given up. Send it again.'))
    }
  }, limits.stallMs)
  return () => clearInterval(timer)
}

/** Throws `REQUEST_TOO_LARGE` before a byte is read when the request says that it is too long. */
export function checkLength(request: IncomingMessage, requestBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > requestBytes) throw tooLong(requestBytes)
}

const tooLong = (requestBytes: number): AppError =>
  new AppError('REQUEST_TOO_LARGE', `A request may hold ${requestBytes} bytes at most.`, {
    details: { limit_bytes: requestBytes }
  })

/** Starts to watch a body; `bytesRead` is asked for what was taken of it. */
export function watchBody(request: IncomingMessage, limits: BodyLimits): BodyWatch {
  const controller = new AbortController()
  const giveUp = (error: AppError): void => controller.abort(error)
  const onClose = (): void => {
    if (!request.complete) giveUp(new AppError('BODY_TRUNCATED', 'The connection ended before the request body.'))
  }
  let bytes = 0
  const onData = (block: Buffer): void => {
    bytes += block.length
    if (bytes > limits.requestBytes) giveUp(tooLong(limits.requestBytes))
  }
  request.on('close', onClose)
  // Listening would start the flow of a body nobody takes yet: counting begins with the first reader.
  const onResume = (): void => {
    request.off('resume', onResume)
    request.on('data', onData)
  }
  request.on('resume', onResume)
  const grace = watchGrace(request, limits.graceMs, giveUp)
  const stopRate = watchRate(request, limits, giveUp)
  return {
    signal: controller.signal,
    touch: grace.touch,
    stop() {
      request.off('close', onClose)
      request.off('data', onData)
      request.off('resume', onResume)
      grace.stop()
      stopRate()
    }
  }
}
