import t from 'tap'
import { createAddressCheck, readRange } from '../../../../src/registries/http/client/addresses.ts'

const FORBIDDEN = [
  '127.0.0.1', '127.255.255.254', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
  '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1',
  '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', 'fe80::1', 'fe80::1%eth0', 'fc00::1',
  'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::1', '2001::1', '2001:db8::1', '3fff::1',
  '100::1', 'localhost', '', '127.1', '0x7f.1', '2130706433', '8.8.8.8%eth0'
] // biome-ignore format: a list
const ALLOWED = [
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '100.63.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1'
]

t.test('only public addresses may be connected to', async t => {
  const check = createAddressCheck([])
  t.strictSame(FORBIDDEN.filter(check), [])
  t.strictSame(ALLOWED.filter(check), ALLOWED)
})

t.test('and those of ranges that were allowed, and of no others', async t => {
  const check = createAddressCheck(['10.20.0.0/16', 'fd12:3456::/32'])
  t.strictSame(
    [
      '10.20.0.1',
      '10.20.255.255',
      '10.21.0.1',
      '10.19.255.255',
      'fd12:3456::1',
      'fd12:3457::1',
      '::ffff:10.20.0.1'
    ].filter(check),
    ['10.20.0.1', '10.20.255.255', 'fd12:3456::1']
  )
  t.ok(check('8.8.8.8'), 'the public ones stay allowed')
})

t.test('a range is an address and a length', async t => {
  t.match(readRange('10.0.0.0/8'), { net: '10.0.0.0', prefix: 8, family: 'ipv4' })
  t.match(readRange('fd00::/8'), { prefix: 8, family: 'ipv6' })
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    '/8',
    '10.0.0.0/-1',
    'fe80::%a/8'
  ]) {
    t.equal(readRange(text), undefined, text)
  }
})
