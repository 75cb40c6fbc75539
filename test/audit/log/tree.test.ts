import { createHash } from 'node:crypto'
import t from 'tap'
import { edgeCounts, growTree, levelSize, TILE } from '../../../src/audit/log/tree/growing-tree.ts'
import { consistencyPath, inclusionPath, isConsistent, rootByInclusion } from '../../../src/audit/log/tree/paths.ts'
import { rangeRoots } from '../../../src/audit/log/tree/read-tree.ts'
import { naiveConsistency, naiveInclusion, naiveRoot, RFC_LEAVES, RFC_ROOTS } from './naive.ts'
import { SEED, seeded } from './seeded.ts'

const LEAVES = Array.from({ length: 2000 }, (_, i) => createHash('sha256').update(`\0leaf ${i}`).digest())
const memory = (from: number, to: number): Buffer => naiveRoot(LEAVES.slice(from, to))

t.test('roots of the RFC 6962 test data', async t => {
  const tree = growTree()
  t.equal(tree.root().toString('hex'), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  for (const [n, leaf] of RFC_LEAVES.entries()) {
    tree.append(
      createHash('sha256')
        .update(Buffer.concat([Buffer.of(0), Buffer.from(leaf, 'hex')]))
        .digest()
    )
    t.equal(tree.root().toString('hex'), RFC_ROOTS[n], `${n + 1} leaves`)
  }
})

t.test('a growing tree has the root of the definition at every size, and can be taken up at any', async t => {
  const tree = growTree()
  const random = seeded(SEED)
  for (const [n, leaf] of LEAVES.entries()) {
    tree.append(leaf)
    const size = n + 1
    if (size > 70 && random(40) > 0 && size % TILE > 1) continue
    const root = naiveRoot(LEAVES.slice(0, size))
    t.ok(tree.root().equals(root), `${size} leaves`)
    const edge = edgeCounts(size).map((count, level) => {
      const last = levelSize(size, level)
      return Array.from({ length: count }, (_, i) => {
        const at = (last - count + i) * TILE ** level
        return memory(at, at + TILE ** level)
      })
    })
    t.ok(growTree(size, edge).root().equals(root), `taken up at ${size}`)
  }
})

t.test('tiles hold whole subtrees and grow', async t => {
  const tree = growTree()
  const tiles = new Map<string, readonly Buffer[]>()
  for (const leaf of LEAVES.slice(0, 1100)) {
    tree.append(leaf)
    for (const { level, index, hashes } of tree.takeTiles()) tiles.set(`${level}/${index}`, hashes)
  }
  t.same([...tiles.keys()].toSorted(), ['0/0', '0/1', '0/2', '0/3', '1/0'])
  t.same(tiles.get('0/2'), LEAVES.slice(512, 768))
  t.same(
    tiles.get('1/0'),
    [0, 1, 2, 3].map(i => memory(i * TILE, (i + 1) * TILE))
  )
})

const paths = async (size: number, old: number, rootOf: Parameters<typeof inclusionPath>[0]) => ({
  inclusion: await inclusionPath(rootOf, old - 1, size),
  consistency: await consistencyPath(rootOf, old, size)
})

t.test('paths for all sizes to 70 are those of the definition, and lead to the root', async t => {
  let wrong = 0
  for (let size = 1; size <= 70; size += 1) {
    const root = memory(0, size)
    for (let old = 1; old <= size; old += 1) {
      const { inclusion, consistency } = await paths(size, old, memory)
      const leaf = LEAVES[old - 1] as Buffer
      const same =
        Buffer.concat(inclusion).equals(Buffer.concat(naiveInclusion(old - 1, LEAVES.slice(0, size)))) &&
        Buffer.concat(consistency).equals(Buffer.concat(naiveConsistency(old, LEAVES.slice(0, size))))
      const leads = rootByInclusion(leaf, { index: old - 1, size }, inclusion)?.equals(root)
      const consistent = isConsistent({ size: old, root: memory(0, old) }, { size, root }, consistency)
      if (!same || leads !== true || !consistent) wrong += 1
    }
  }
  t.equal(wrong, 0)
})

t.test('paths through tiles are those of the definition at random sizes', async t => {
  const random = seeded(SEED)
  t.comment(`seed ${SEED}`)
  for (let round = 0; round < 200; round += 1) {
    const size = 1 + random(LEAVES.length)
    const old = 1 + random(size)
    const tiles = async (level: number, index: number) => {
      const unit = TILE ** level
      const count = Math.min(TILE, levelSize(size, level) - index * TILE)
      return Array.from({ length: count }, (_, i) => memory((index * TILE + i) * unit, (index * TILE + i + 1) * unit))
    }
    const { inclusion, consistency } = await paths(size, old, rangeRoots(tiles))
    t.same(inclusion, naiveInclusion(old - 1, LEAVES.slice(0, size)), `leaf ${old - 1} of ${size}`)
    t.same(consistency, naiveConsistency(old, LEAVES.slice(0, size)), `${old} in ${size}`)
  }
})

t.test('forged paths are refused', async t => {
  const random = seeded(SEED + 1)
  const rounds = Number(process.env['FORGERIES'] ?? 6000)
  let accepted = 0
  for (let round = 0; round < rounds; round += 1) {
    const size = 2 + random(300)
    const old = 1 + random(size - 1)
    const { inclusion, consistency } = await paths(size, old, memory)
    const root = memory(0, size)
    const oldRoot = memory(0, old)
    const forge = (path: readonly Buffer[]): Buffer[] => {
      const forged: Buffer[] = path.map(step => Buffer.from(step))
      const at = random(forged.length + 1)
      const kind = random(4)
      const step = forged[at]
      if (kind === 0 && step) step[random(32)] = ((step[0] ?? 0) + 1 + random(255)) % 256
      if (kind === 1) forged.splice(at, 0, LEAVES[random(size)] as Buffer)
      if (kind === 2 && forged.length > 0) forged.splice(Math.min(at, forged.length - 1), 1)
      if (kind === 3) forged.push(Buffer.alloc(32))
      return forged
    }
    const changed = (a: Buffer[], b: Buffer[]) => !Buffer.concat(a).equals(Buffer.concat(b))
    const [one, two] = [forge(inclusion), forge(consistency)]
    const leaf = LEAVES[old - 1] as Buffer
    const place = { index: old - 1, size }
    if (changed(one, inclusion) && rootByInclusion(leaf, place, one)?.equals(root)) accepted += 1
    if (changed(two, consistency) && isConsistent({ size: old, root: oldRoot }, { size, root }, two)) accepted += 1
    const other = LEAVES[(old + random(size - 1)) % size] as Buffer
    if (!other.equals(leaf) && rootByInclusion(other, place, inclusion)?.equals(root)) accepted += 1
    const moved = { index: (old + random(size - 1)) % size, size }
    if (moved.index !== place.index && rootByInclusion(leaf, moved, inclusion)?.equals(root)) accepted += 1
    const fork = { size: old, root: naiveRoot([...LEAVES.slice(0, old - 1), LEAVES[old] as Buffer]) }
    if (isConsistent(fork, { size, root }, consistency)) accepted += 1
  }
  t.equal(accepted, 0, `${rounds} rounds, seed ${SEED + 1}`)
})

t.test('places that no tree has', async t => {
  const leaf = LEAVES[0] as Buffer
  for (const place of [
    { index: 1, size: 1 },
    { index: -1, size: 1 },
    { index: 0.5, size: 1 },
    { index: 0, size: 0 },
    { index: Number.NaN, size: 3 },
    { index: 0, size: 2 ** 60 }
  ])
    t.equal(rootByInclusion(leaf, place, []), undefined)
  const head = { size: 1, root: leaf }
  t.equal(isConsistent(head, head, []), true)
  t.equal(isConsistent(head, head, [leaf]), false)
  t.equal(isConsistent({ size: 0, root: leaf }, head, []), false)
  t.equal(isConsistent({ size: 2, root: leaf }, head, []), false)
})
