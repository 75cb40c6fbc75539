import { RegistryFault } from '../registry.ts'

/**
 * The call's answer, or `RegistryFault` `timeout` when it has not come in time or there is no time left; the call is told
 * to end then. Throws the signal's reason when that is aborted before.
 */
export async function withinTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal
): Promise<T> {
  signal.throwIfAborted()
  if (timeoutMs <= 0) throw new RegistryFault('transient', 'timeout')
  const end = new AbortController()
  let stop: () => void = () => undefined
  const stopped = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new RegistryFault('transient', 'timeout')), timeoutMs)
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort)
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([call(end.signal), stopped])
  } catch (error) {
    // A call that has ended well needs not be told so: the error that tells it costs more than all else here.
    end.abort()
    throw error
  } finally {
    stop()
  }
}
