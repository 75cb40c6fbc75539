import { createHash } from 'node:crypto'

/** RFC 6962 as it is defined, by recursion over hashes of leaves: for comparison, sharing nothing with the code under test. */
const node = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), left, right]))
    .digest()

const split = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1)

export function naiveRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return createHash('sha256').digest()
  if (hashes.length === 1) return hashes[0] as Buffer
  const k = split(hashes.length)
  return node(naiveRoot(hashes.slice(0, k)), naiveRoot(hashes.slice(k)))
}

/** PATH(m, D[n]). */
export function naiveInclusion(m: number, hashes: readonly Buffer[]): Buffer[] {
  if (hashes.length === 1) return []
  const k = split(hashes.length)
  const [left, right] = [hashes.slice(0, k), hashes.slice(k)]
  return m < k ? [...naiveInclusion(m, left), naiveRoot(right)] : [...naiveInclusion(m - k, right), naiveRoot(left)]
}

function subproof(m: number, hashes: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (m === hashes.length) return isWhole ? [] : [naiveRoot(hashes)]
  const k = split(hashes.length)
  const [left, right] = [hashes.slice(0, k), hashes.slice(k)]
  return m <= k
    ? [...subproof(m, left, isWhole), naiveRoot(right)]
    : [...subproof(m - k, right, false), naiveRoot(left)]
}

/** PROOF(m, D[n]). */
export const naiveConsistency = (m: number, hashes: readonly Buffer[]): Buffer[] => subproof(m, hashes, true)

/** Leaves and roots of the test data that Certificate Transparency's implementations share, in hex. */
export const RFC_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f'
]
export const RFC_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'
]
