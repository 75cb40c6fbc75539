import { createHash } from 'node:crypto'
import t from 'tap'
import { leafHash, merkleRoot } from '../../src/audit/merkle.ts'

// The tree of Certificate Transparency's own test vectors: these eight leaves, and the roots over the first n of them.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  hex => Buffer.from(hex, 'hex')
)
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'
]

const sha = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

/** RFC 6962 §2.1 word for word: split at the largest power of two smaller than the number of leaves. */
function byDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha(Buffer.from([0]), leaves[0] as Buffer)
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha(Buffer.from([1]), byDefinition(leaves.slice(0, k)), byDefinition(leaves.slice(k)))
}

t.test('the published roots of RFC 6962 trees of 0 to 8 leaves', async t => {
  for (const [n, root] of ROOTS.entries()) t.equal(merkleRoot(LEAVES.slice(0, n)).toString('hex'), root, `${n} leaves`)
  t.equal(leafHash(Buffer.alloc(0)).toString('hex'), ROOTS[1])
})

t.test('the recursive definition gives the same root for every size', async t => {
  const leaves = Array.from({ length: 600 }, (_, i) => sha(Buffer.from(String(i))))
  const sizes = [...Array(70).keys(), 127, 128, 129, 499, 500, 501, 600]
  for (const n of sizes) {
    const some = leaves.slice(0, n)
    t.ok(merkleRoot(some).equals(byDefinition(some)), `${n} leaves`)
  }
})

t.test('order, number and content of leaves all count', async t => {
  const root = merkleRoot(LEAVES).toString('hex')
  t.not(merkleRoot(LEAVES.toReversed()).toString('hex'), root)
  t.not(merkleRoot([...LEAVES, LEAVES[7] as Buffer]).toString('hex'), root, 'an odd leaf is not doubled')
  t.not(merkleRoot([LEAVES[0] as Buffer, ...LEAVES.slice(0, 7)]).toString('hex'), root)
  const [a, b] = LEAVES as [Buffer, Buffer]
  const node = Buffer.concat([leafHash(a), leafHash(b)])
  t.not(merkleRoot([node]).toString('hex'), merkleRoot([a, b]).toString('hex'), 'a leaf cannot pass for a node')
})
