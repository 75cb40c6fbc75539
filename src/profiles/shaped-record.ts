/**
 * From so many members on, an object that is filled by names known only at run time becomes a hash table in V8 (14.x: the
 * twentieth member), which costs several times as much to fill, to walk and to write as JSON.
 */
const HASHED_FROM = 20
/** Shapes that are remembered; a profile's records have few, and what is beyond is only slower. */
const MAX_SHAPES = 5000

/** What follows one name in records seen so far, and a record that ends with it. */
interface Shape {
  readonly next: Map<string, Shape>
  lastName: string
  last: Shape | null
  sample: Readonly<Record<string, unknown>> | null
}

const shapeOf = (): Shape => ({ next: new Map(), lastName: '', last: null, sample: null })

let root = shapeOf()
let count = 0

function after(shape: Shape, name: string): Shape {
  if (shape.last !== null && shape.lastName === name) return shape.last
  let next = shape.next.get(name)
  if (next === undefined) {
    next = shapeOf()
    shape.next.set(name, next)
    count += 1
  }
  shape.lastName = name
  shape.last = next
  return next
}

function shaped<T>(names: readonly string[], values: readonly T[]): Record<string, T> {
  if (count > MAX_SHAPES) {
    root = shapeOf()
    count = 0
  }
  let shape = root
  for (const name of names) shape = after(shape, name)
  if (shape.sample === null) {
    const record = Object.fromEntries(names.map((name, at) => [name, values[at] as T]))
    shape.sample = Object.fromEntries(names.map(name => [name, null]))
    return record
  }
  const record = { ...shape.sample } as Record<string, T>
  for (let at = 0; at < names.length; at++) record[names[at] as string] = values[at] as T
  return record
}

/** A plain object of these members, in this order, that stays quick however many they are. No name comes twice. */
export function recordOf<T>(names: readonly string[], values: readonly T[]): Record<string, T> {
  if (names.length >= HASHED_FROM) return shaped(names, values)
  const record: Record<string, T> = {}
  for (let at = 0; at < names.length; at++) record[names[at] as string] = values[at] as T
  return record
}
