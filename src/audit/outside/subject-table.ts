/** Bytes of a subject: id, number of its last entry, hash of that, its fingerprint. */
const ID = 16
const SLOT = ID + 4 + 32 + 32
const SEEN = 2 ** 31

/** Parts of the table, each of which grows by itself: what grows at once is small. */
const PARTS = 1024
const FIRST_SLOTS = 16

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

/** What is known of a subject's chain so far. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: Buffer
  /** Idempotency key of a record, sha-256 of a file; zeros where there is none. */
  readonly fingerprint: Buffer
}

/** Subjects whose ids end alike, in one block of memory with open addressing. */
class Part {
  slots = Buffer.alloc(FIRST_SLOTS * SLOT)
  private count = 0

  /** Where a subject stands, or the free place for it. The end of an id is random. */
  find(key: Buffer): number {
    const capacity = this.slots.length / SLOT
    let place = key.readUInt32BE(ID - 6) % capacity
    for (;;) {
      const at = place * SLOT
      if (this.slots.readUInt32BE(at + ID) === 0 || key.compare(this.slots, at, at + ID) === 0) return at
      place = (place + 1) % capacity
    }
  }

  set(key: Buffer, end: ChainEnd): void {
    if ((this.count + 1) * SLOT > this.slots.length * 0.9) this.grow()
    const at = this.find(key)
    if (this.slots.readUInt32BE(at + ID) === 0) this.count += 1
    key.copy(this.slots, at)
    this.slots.writeUInt32BE(end.seq, at + ID)
    end.hash.copy(this.slots, at + ID + 4)
    end.fingerprint.copy(this.slots, at + ID + 36)
  }

  private grow(): void {
    const old = this.slots
    this.slots = Buffer.alloc(Math.ceil((old.length / SLOT) * 1.25) * SLOT)
    for (let at = 0; at < old.length; at += SLOT) {
      if (old.readUInt32BE(at + ID) === 0) continue
      old.copy(this.slots, this.find(old.subarray(at, at + ID)), at, at + SLOT)
    }
  }
}

/** The ends of all chains in memory of about a hundred bytes a subject, whatever their number. */
export class SubjectTable {
  private readonly parts = Array.from({ length: PARTS }, () => new Part())

  get(id: string): ChainEnd | undefined {
    const key = toBytes(id)
    const part = this.partOf(key)
    const at = part.find(key)
    const seq = part.slots.readUInt32BE(at + ID) % SEEN
    if (seq === 0) return undefined
    const hash = part.slots.subarray(at + ID + 4, at + ID + 36)
    return { seq, hash, fingerprint: part.slots.subarray(at + ID + 36, at + SLOT) }
  }

  set(id: string, end: ChainEnd): void {
    const key = toBytes(id)
    this.partOf(key).set(key, end)
  }

  /** Marks a subject, which must be there, as one that a row was found for. */
  mark(id: string): void {
    const key = toBytes(id)
    const part = this.partOf(key)
    const at = part.find(key) + ID
    part.slots.writeUInt32BE((part.slots.readUInt32BE(at) % SEEN) + SEEN, at)
  }

  /** The smallest subject that no row was found for, and how many there are. */
  unmarked(): { readonly first: string | undefined; readonly count: number } {
    let first: string | undefined
    let count = 0
    for (const { slots } of this.parts) {
      for (let at = 0; at < slots.length; at += SLOT) {
        const seq = slots.readUInt32BE(at + ID)
        if (seq === 0 || seq >= SEEN) continue
        const hex = slots.toString('hex', at, at + ID)
        const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
        if (first === undefined || id < first) first = id
        count += 1
      }
    }
    return { first, count }
  }

  private partOf(key: Buffer): Part {
    return this.parts[key.readUInt16BE(ID - 2) % PARTS] as Part
  }
}
