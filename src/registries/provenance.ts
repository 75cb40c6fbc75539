import { createHash } from 'node:crypto'
import { canonicalJson } from '../model/json.ts'
import type { Answer, LookUp, Provenance } from './registry.ts'

/** Hex sha-256 of an answer's canonical JSON. */
export const digestOf = (answer: Answer): string => createHash('sha256').update(canonicalJson(answer)).digest('hex')

export interface Given {
  readonly registry: string
  /** The day that was asked about. */
  readonly asOf: string
  /** RFC 3339. */
  readonly fetchedAt: string
  readonly fromCache: boolean
}

/** Where an answer is from. Its digest is made when it is read: most answers are kept with others under one. */
class OfAnswer implements Provenance {
  readonly registry: string
  readonly key: string
  readonly asOf: string
  readonly fetchedAt: string
  readonly fromCache: boolean
  readonly #answer: Answer

  constructor(key: string, answer: Answer, given: Given) {
    this.registry = given.registry
    this.key = key
    this.asOf = answer.kind === 'match' ? (answer.asOf ?? given.asOf) : given.asOf
    this.fetchedAt = given.fetchedAt
    this.fromCache = given.fromCache
    this.#answer = answer
  }

  get digest(): string {
    return digestOf(this.#answer)
  }
}

/** An answer as the pipeline sees it. */
export function toLookUp(key: string, answer: Answer, given: Given): LookUp {
  const provenance = new OfAnswer(key, answer, given)
  if (answer.kind === 'match') return { kind: 'match', value: answer.value, provenance }
  if (answer.kind === 'no_match') return { kind: 'no_match', provenance }
  return { kind: 'several', candidates: answer.candidates, more: answer.more === true, provenance }
}
