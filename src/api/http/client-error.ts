import type { Socket } from 'node:net'
import { PROBLEM_TYPE } from './problem.ts'

const STATUS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout']
}

/** Answers what is not HTTP, or came too slowly, before there is a request; then ends the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, title] = STATUS[error.code ?? ''] ?? [400, 'Bad Request']
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: title, code: 'REQUEST_INVALID' })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy()
  )
}
