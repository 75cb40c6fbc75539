/** Bytes of a subject: id, number of its last entry, hash of that, its fingerprint. */
const ID = 16
const SLOT = ID + 4 + 32 + 32
const SEEN = 2 ** 31

/** Subjects in one slab of memory; slabs are added and never moved, so that nothing is left for the garbage collector. */
const SLAB = 16_384

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** What is known of a subject's chain so far. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: Buffer
  /** Idempotency key of a record, sha-256 of a file; zeros where there is none. */
  readonly fingerprint: Buffer
}

/** Where a subject stands: a slab and a place in it. */
interface Spot {
  readonly slab: Buffer
  readonly at: number
}

/** The ends of all chains in memory of about a hundred bytes a subject, whatever their number. */
export class SubjectTable {
  private readonly slabs: Buffer[] = []
  private count = 0
  /** Numbers of subjects, from 1, by their ids: open addressing, 0 where there is none. */
  private index = new Uint32Array(4096)

  get(id: string): ChainEnd | undefined {
    const spot = this.spotOf(this.index[this.find(toBytes(id))] ?? 0)
    if (!spot) return undefined
    const { slab, at } = spot
    const hash = slab.subarray(at + ID + 4, at + ID + 36)
    const seq = slab.readUInt32BE(at + ID) % SEEN
    return { seq, hash, fingerprint: slab.subarray(at + ID + 36, at + SLOT) }
  }

  set(id: string, end: ChainEnd): void {
    const key = toBytes(id)
    const { slab, at } = this.spotOf(this.index[this.find(key)] ?? 0) ?? this.add(key)
    slab.writeUInt32BE(end.seq, at + ID)
    end.hash.copy(slab, at + ID + 4)
    end.fingerprint.copy(slab, at + ID + 36)
  }

  /** Marks a subject as one that a row was found for. */
  mark(id: string): void {
    const spot = this.spotOf(this.index[this.find(toBytes(id))] ?? 0)
    if (!spot) return
    const at = spot.at + ID
    spot.slab.writeUInt32BE((spot.slab.readUInt32BE(at) % SEEN) + SEEN, at)
  }

  /** The smallest subject that no row was found for, and how many there are. */
  unmarked(): { readonly first: string | undefined; readonly count: number } {
    let first: string | undefined
    let count = 0
    for (let number = 1; number <= this.count; number += 1) {
      const spot = this.spotOf(number)
      if (!spot || spot.slab.readUInt32BE(spot.at + ID) >= SEEN) continue
      const hex = spot.slab.toString('hex', spot.at, spot.at + ID)
      const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      if (first === undefined || id < first) first = id
      count += 1
    }
    return { first, count }
  }

  private spotOf(number: number): Spot | undefined {
    if (number === 0) return undefined
    const slab = this.slabs[Math.floor((number - 1) / SLAB)]
    return slab && { slab, at: ((number - 1) % SLAB) * SLOT }
  }

  /** The place in the index of a subject, or the free one for it. The end of an id is random. */
  private find(key: Buffer): number {
    let place = key.readUInt32BE(ID - 4) % this.index.length
    for (;;) {
      const spot = this.spotOf(this.index[place] ?? 0)
      if (!spot || key.compare(spot.slab, spot.at, spot.at + ID) === 0) return place
      place = (place + 1) % this.index.length
    }
  }

  private add(key: Buffer): Spot {
    if (this.count * 3 > this.index.length * 2) this.growIndex()
    if (this.count % SLAB === 0) this.slabs.push(Buffer.alloc(SLAB * SLOT))
    const place = this.find(key)
    this.count += 1
    const spot = this.spotOf(this.count) as Spot
    key.copy(spot.slab, spot.at)
    this.index[place] = this.count
    return spot
  }

  private growIndex(): void {
    this.index = new Uint32Array(this.index.length * 2)
    for (let number = 1; number <= this.count; number += 1) {
      const { slab, at } = this.spotOf(number) as Spot
      this.index[this.find(slab.subarray(at, at + ID))] = number
    }
  }
}
