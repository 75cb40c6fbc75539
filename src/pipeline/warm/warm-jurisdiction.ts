import { type AwaitedState, listAwaitedChunks } from '../../db/registries/awaited-work.ts'
import type { LookUps } from '../../registries/look-ups.ts'
import { REGISTRY_KINDS, type RegistryKind } from '../../registries/registry.ts'
import type { Sources } from '../../registries/sources.ts'
import { resolve, type Wanted } from '../enrich/resolve.ts'
import { addCounts, type KeyCounts, NO_KEYS, patientLookUps, type Tally } from './patient-look-ups.ts'
import { type Awaited, type KeysDeps, wantedKeys } from './wanted-keys.ts'

export type WarmDeps = KeysDeps & { readonly lookUps: LookUps }

/** Up to which chunk the work of each state has been gone through. */
export type Position = Readonly<Record<AwaitedState, string>>

const FIRST = '00000000-0000-0000-0000-000000000000'
export const START: Position = { pending: FIRST, held: FIRST }

export interface WarmOptions {
  readonly from: Position
  /** Most chunks that are gone through. */
  readonly most: number
  /** When to begin no further chunk, by `now`, in monotonic milliseconds. */
  readonly until: number
  readonly now: () => number
  /** What is kept for less than so many seconds more is asked for anew. */
  readonly freshSeconds: number
  /** Reads one chunk at a time, of all jurisdictions: so many rows are in memory and no more. */
  readonly readInTurn: <T>(read: () => Promise<T>) => Promise<T>
  readonly signal: AbortSignal
}

/** What was done for a jurisdiction. */
export interface Warmed {
  readonly jurisdiction: string
  readonly chunks: number
  /** Documents that nobody has read yet: what they will ask for is not known before. */
  readonly documents: number
  readonly counts: ReadonlyMap<RegistryKind, KeyCounts>
  /** Registries that did not answer. */
  readonly away: readonly RegistryKind[]
  readonly reached: Position
  /** Whether all of the work was gone through. */
  readonly isDone: boolean
}

const PAGE = 200
const STATES: readonly AwaitedState[] = ['pending', 'held']

async function* awaitedFrom(deps: WarmDeps, jurisdiction: string, from: Position): AsyncGenerator<Awaited> {
  for (const state of STATES) {
    for (let after = from[state]; ; ) {
      const page = await listAwaitedChunks(deps.pool, jurisdiction, state, { after, limit: PAGE })
      for (const chunk of page) yield { ...chunk, jurisdiction, state }
      if (page.length < PAGE) break
      after = page.at(-1)?.id ?? after
    }
  }
}

/** The kinds whose answers are kept, of registries that may be asked. */
const warmable = (sources: Sources, away: ReadonlySet<RegistryKind>): readonly RegistryKind[] =>
  REGISTRY_KINDS.filter(kind => sources.get(kind)?.keeping !== undefined && !away.has(kind))

const only = (wanted: Wanted, kinds: readonly RegistryKind[]): Wanted =>
  Object.fromEntries(
    kinds.flatMap(kind => {
      const values = wanted[kind]
      return values && values.size > 0 ? [[kind, values] as const] : []
    })
  )

/** A registry may fail at what is asked for beside: its breaker says so. */
function leaveAlone(away: Set<RegistryKind>, sources: Sources): void {
  for (const { kind, keeping, breaker } of sources.values()) if (keeping && breaker.isOpen) away.add(kind)
}

/** Looks the keys of one chunk up, of the kinds that may be asked, and waits for what is asked for beside. */
async function warmChunk(
  deps: WarmDeps,
  awaited: Awaited,
  how: { readonly options: WarmOptions; readonly kinds: readonly RegistryKind[]; readonly tally: Tally }
): Promise<void> {
  const { readInTurn, freshSeconds, signal } = how.options
  const wanted = only(await readInTurn(() => wantedKeys(deps, awaited)), how.kinds)
  const lookUps = patientLookUps(deps.lookUps, freshSeconds, how.tally)
  await resolve(lookUps, wanted, { jurisdiction: awaited.jurisdiction, asOf: deps.today(), signal })
  // Nothing piles up, and no chunk is read ahead of what the registry has answered.
  await deps.lookUps.settled()
}

/**
 * Looks up ahead what the work of a jurisdiction will ask for, chunk by chunk, through what the work itself asks with. A
 * registry that does not answer is left alone for the rest. Answers what was done by then when the signal says to stop.
 * Throws faults of our own infrastructure.
 */
export async function warmJurisdiction(deps: WarmDeps, jurisdiction: string, options: WarmOptions): Promise<Warmed> {
  const counts = new Map<RegistryKind, KeyCounts>()
  const away = new Set<RegistryKind>()
  const tally: Tally = (kind, told) => {
    counts.set(kind, addCounts(counts.get(kind) ?? NO_KEYS, told))
    if (told.unanswered > 0) away.add(kind)
  }
  let [chunks, documents, isDone, reached] = [0, 0, true, options.from]
  try {
    for await (const awaited of awaitedFrom(deps, jurisdiction, options.from)) {
      const sources = await deps.sources(jurisdiction)
      const kinds = warmable(sources, away)
      const mayGoOn = !options.signal.aborted && options.now() < options.until && chunks < options.most
      isDone = mayGoOn && kinds.length > 0
      if (!isDone) break
      if (awaited.kind === 'document' && awaited.state === 'pending') documents += 1
      else {
        await warmChunk(deps, awaited, { options, kinds, tally })
        leaveAlone(away, sources)
        chunks += 1
      }
      // What had no answer is come back to.
      if (away.size === 0) reached = { ...reached, [awaited.state]: awaited.id }
    }
  } catch (error) {
    if (!options.signal.aborted) throw error
    isDone = false
  }
  return { jurisdiction, chunks, documents, counts, away: [...away], reached, isDone: isDone && away.size === 0 }
}
