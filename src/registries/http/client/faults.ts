import { RegistryFault } from '../../registry.ts'

/** Statuses after which the same question may be answered; 202 is "still working on it". */
const TRANSIENT = new Set([202, 204, 205, 206, 408, 425, 429])

/** A status other than 200 as a fault: what time may mend is transient, what only an operator can is configuration. */
export function faultOfStatus(status: number, retryAfterMs: number | undefined): RegistryFault {
  const kind = TRANSIENT.has(status) || status >= 500 ? 'transient' : 'configuration'
  return new RegistryFault(kind, `http_${status}`, kind === 'transient' ? retryAfterMs : undefined)
}

const BY_CODE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ERR_STREAM_PREMATURE_CLOSE: 'cut_off'
}

/** A certificate that does not prove the host: nothing is sent past it, and waiting does not mend it. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS_/

/** What went wrong below HTTP, as a fault. The error's own text is dropped: it may name addresses and hold headers. */
export function faultOfError(error: unknown): RegistryFault {
  if (error instanceof RegistryFault) return error
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return new RegistryFault('transient', 'connection_failed')
  if (code === 'ERR_INVALID_CHAR') return new RegistryFault('configuration', 'secret_malformed')
  if (CERTIFICATE.test(code)) return new RegistryFault('configuration', 'certificate')
  if (code.startsWith('HPE_')) return new RegistryFault('transient', 'bad_http')
  if (code.startsWith('Z_') || code.startsWith('ERR_ZLIB')) return new RegistryFault('transient', 'bad_encoding')
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return new RegistryFault('transient', 'tls')
  return new RegistryFault('transient', BY_CODE[code] ?? 'connection_failed')
}

/** Nobody waits any longer: a time limit is the registry's fault, anything else is the caller's own reason. */
export function faultOfAbort(signal: AbortSignal): Error {
  const reason = signal.reason as Error
  return reason.name === 'TimeoutError' ? new RegistryFault('transient', 'timeout') : reason
}
