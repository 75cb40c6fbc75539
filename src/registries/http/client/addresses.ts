import { BlockList, isIP } from 'node:net'

/** Addresses that no registry of the open network has, by the special-purpose registries of IANA. */
const NOT_PUBLIC_4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
]
/** Of IPv6 only global unicast is public, and of that not what leads to other addresses (Teredo, 6to4) or to none. */
const PUBLIC_6: readonly (readonly [string, number])[] = [['2000::', 3]]
const NOT_PUBLIC_6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
]

function listOf(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return list
}

const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')
const public6 = listOf(PUBLIC_6, 'ipv6')
/** IPv4 addresses written as IPv6: a second way to say what the list for IPv4 forbids. */
const mapped = listOf([['::ffff:0:0', 96]], 'ipv6')

interface Range {
  readonly net: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** An address range as CIDR, such as `10.20.0.0/16`; undefined for anything else. */
export function readRange(text: string): Range | undefined {
  const [net = '', length = '', ...rest] = text.split('/')
  const family = isIP(net)
  if (rest.length > 0 || family === 0 || net.includes('%') || !/^\d{1,3}$/.test(length)) return undefined
  const prefix = Number(length)
  if (prefix > (family === 4 ? 32 : 128)) return undefined
  return { net, prefix, family: family === 4 ? 'ipv4' : 'ipv6' }
}

/** Whether an address may be connected to. */
export type AddressCheck = (address: string) => boolean

/**
 * Public addresses may be connected to, and those of the ranges given (each as CIDR). An IPv4 address written as IPv6 and
 * an address of a zone never may.
 */
export function createAddressCheck(ranges: readonly string[]): AddressCheck {
  const allowed = new BlockList()
  for (const text of ranges) {
    const range = readRange(text)
    if (range) allowed.addSubnet(range.net, range.prefix, range.family)
  }
  return address => {
    const version = address.includes('%') ? 0 : isIP(address)
    if (version === 4) return allowed.check(address) || !notPublic4.check(address)
    if (version === 0 || mapped.check(address, 'ipv6')) return false
    if (allowed.check(address, 'ipv6')) return true
    return public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
  }
}
