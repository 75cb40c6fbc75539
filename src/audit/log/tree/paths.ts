import { nodeHash } from '../../merkle.ts'

/** RFC 6962 root over the leaves from `from` up to and without `to`; a whole subtree, or the right edge of the tree. */
export type RangeRoot = (from: number, to: number) => Promise<Buffer> | Buffer

/** The largest power of two smaller than `count`, where RFC 6962 splits a tree of `count` ≥ 2 leaves. */
export function splitOf(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** Hashes that lead from the leaf at `index` to the root of a tree of `size` leaves, from below (RFC 6962 §2.1.1). */
export async function inclusionPath(rootOf: RangeRoot, index: number, size: number): Promise<Buffer[]> {
  const path: Buffer[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      path.push(await rootOf(middle, to))
      to = middle
    } else {
      path.push(await rootOf(from, middle))
      from = middle
    }
  }
  return path.toReversed()
}

/** Hashes that show that the tree of `size` leaves begins with that of `old` ≥ 1 leaves (RFC 6962 §2.1.2). */
export async function consistencyPath(rootOf: RangeRoot, old: number, size: number): Promise<Buffer[]> {
  const path: Buffer[] = []
  let [from, to] = [0, size]
  while (to > old) {
    const middle = from + splitOf(to - from)
    if (old <= middle) {
      path.push(await rootOf(middle, to))
      to = middle
    } else {
      path.push(await rootOf(from, middle))
      from = middle
    }
  }
  // What is left ends where the old tree does; when it is all of the old tree, whoever asks knows its root.
  if (from > 0) path.push(await rootOf(from, to))
  return path.toReversed()
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const isRight = (value: number): boolean => value % 2 === 1
const half = (value: number): number => Math.floor(value / 2)

/**
 * The root that a path leads to from the hash of the leaf at `index`, or undefined when no tree of `size` leaves has a
 * path of this length (RFC 9162 §2.1.3.2).
 */
export function rootByInclusion(
  leaf: Buffer,
  place: { readonly index: number; readonly size: number },
  path: readonly Buffer[]
): Buffer | undefined {
  const { index, size } = place
  if (!isCount(index) || !isCount(size) || index >= size) return undefined
  let [fn, sn, root] = [index, size - 1, leaf]
  for (const step of path) {
    if (sn === 0) return undefined
    if (isRight(fn) || fn === sn) {
      root = nodeHash(step, root)
      while (!isRight(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else {
      root = nodeHash(root, step)
    }
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 ? root : undefined
}

/** A tree by the number of its leaves and its root. */
export interface TreeHead {
  readonly size: number
  readonly root: Buffer
}

/** Whether a path shows that `newer` begins with the leaves of `older`, which has at least one (RFC 9162 §2.1.4.2). */
export function isConsistent(older: TreeHead, newer: TreeHead, path: readonly Buffer[]): boolean {
  if (!isCount(older.size) || !isCount(newer.size) || older.size === 0 || older.size > newer.size) return false
  if (older.size === newer.size) return path.length === 0 && older.root.equals(newer.root)
  let [fn, sn] = [older.size - 1, newer.size - 1]
  while (isRight(fn)) [fn, sn] = [half(fn), half(sn)]
  // A whole subtree is its own beginning.
  const steps = fn === 0 ? [older.root, ...path] : path
  const [first, ...rest] = steps
  if (!first || path.length === 0) return false
  let [oldRoot, newRoot] = [first, first]
  for (const step of rest) {
    if (sn === 0) return false
    if (isRight(fn) || fn === sn) {
      oldRoot = nodeHash(step, oldRoot)
      newRoot = nodeHash(step, newRoot)
      while (!isRight(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else {
      newRoot = nodeHash(newRoot, step)
    }
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && oldRoot.equals(older.root) && newRoot.equals(newer.root)
}
