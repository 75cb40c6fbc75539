import { plain } from '../../../samples/generate/amounts.ts'
import { randomOf } from '../../../samples/generate/random.ts'
import type { Entry } from '../truth.ts'
import { isoDay, leaseFacts, policyFacts } from './facts.ts'
import { LEASE_FURTHER } from './lease/further.ts'
import { LEASE_LAYOUTS } from './lease/layouts.ts'
import { LEASE_VARIANTS } from './lease/variants.ts'
import { POLICY_FORMS } from './policy/forms.ts'
import { POLICY_FURTHER } from './policy/further.ts'
import { POLICY_PAGES } from './policy/pages.ts'
import { TRAPS } from './policy/traps.ts'
import { POLICY_VARIANTS } from './policy/variants.ts'

/** Layouts that rules were looked at with, and those they were first measured on unseen. */
const POLICY_LAYOUTS = { ...POLICY_FORMS, ...POLICY_PAGES, ...POLICY_VARIANTS, ...POLICY_FURTHER }
const ALL_LEASES = { ...LEASE_LAYOUTS, ...LEASE_VARIANTS, ...LEASE_FURTHER }

/** A generated document and what stands in it. */
export interface Generated {
  readonly entry: Entry
  readonly content: Buffer
}

async function policyDocument(name: string, seed: number): Promise<Generated> {
  const random = randomOf(seed)
  const facts = policyFacts(random)
  const trap = TRAPS[name]
  const layout = trap?.draw ?? POLICY_LAYOUTS[name]
  if (!layout) throw new RangeError(`no layout ${name}`)
  const stated: Record<string, string | null> = {
    policy_number: facts.number,
    named_insured: facts.insured,
    effective_date: isoDay(facts.start),
    expiration_date: isoDay(facts.end),
    premium_total: plain(facts.total)
  }
  for (const field of trap?.hidden ?? []) stated[field] = null
  const content = await layout(facts, random)
  const type = /word|docx/.test(name) ? 'docx' : 'pdf'
  return { entry: { path: `policy-${name}-${seed}.${type}`, profile: 'policy', fields: stated }, content }
}

async function leaseDocument(name: string, seed: number): Promise<Generated> {
  const random = randomOf(seed)
  const layout = ALL_LEASES[name]
  if (!layout) throw new RangeError(`no layout ${name}`)
  const facts = leaseFacts(random, layout.isHome)
  const fields = {
    tenant_name: facts.tenant,
    landlord_name: facts.landlord,
    property_address: facts.address.join(', '),
    lease_start: isoDay(facts.start),
    lease_end: isoDay(facts.end),
    base_rent: plain(facts.rent),
    security_deposit: plain(facts.deposit)
  }
  const path = `lease-${name}-${seed}.${layout.type}`
  return { entry: { path, profile: 'lease', fields }, content: await layout.write(facts, random) }
}

/** That many documents that follow from the seed, layouts and traps taking turns. */
export async function* generateDocuments(count: number, seed: number): AsyncGenerator<Generated> {
  const makers = [
    ...Object.keys(POLICY_LAYOUTS).map(name => (own: number) => policyDocument(name, own)),
    ...Object.keys(ALL_LEASES).map(name => (own: number) => leaseDocument(name, own)),
    ...Object.keys(TRAPS).map(name => (own: number) => policyDocument(name, own))
  ]
  for (let at = 0; at < count; at += 1) {
    const make = makers[at % makers.length]
    if (make) yield await make(seed * 1_000_003 + at)
  }
}
