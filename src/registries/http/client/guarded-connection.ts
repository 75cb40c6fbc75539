import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { RegistryFault } from '../../registry.ts'
import type { AddressCheck } from './addresses.ts'

/** What a host's name stands for. */
export type Resolve = (
  host: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

const systemResolve: Resolve = (host, options, done) => systemLookup(host, { ...options, all: true }, done)

const addressRefused = (): RegistryFault => new RegistryFault('configuration', 'address_refused')

/**
 * Resolves and checks in the same step that connects: the addresses that were looked at are the ones the connection gets, so
 * a name that changes its mind in between gains nothing. One forbidden address among others refuses the name.
 */
export function guardedLookup(isAllowed: AddressCheck, resolve: Resolve = systemResolve): LookupFunction {
  return (host, options, done) => {
    resolve(host, options, (error, addresses) => {
      if (error) return done(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address))) return done(addressRefused(), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** Once more for what goes round the resolver: addresses written as such, and sockets made in other ways. */
export function checkPeer(socket: Socket, isAllowed: AddressCheck): void {
  const check = (): void => {
    const peer = socket.remoteAddress
    if (peer !== undefined && !isAllowed(peer)) socket.destroy(addressRefused())
  }
  if (socket.connecting) socket.once('connect', check)
  else check()
}
