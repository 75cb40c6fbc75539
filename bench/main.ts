import { parseArgs } from 'node:util'
import { auditCost } from './audit-cost.ts'
import { enrichment } from './enrichment.ts'
import { latency } from './latency.ts'
import { outage } from './outage.ts'
import { scale } from './scale.ts'
import { throughput } from './throughput.ts'

/** `sizes`: smaller ones than the named, where a bench takes them. */
const BENCHES: Readonly<Record<string, (sizes: Readonly<Record<string, number>>) => Promise<void>>> = {
  throughput,
  latency,
  scale,
  enrichment,
  audit: auditCost,
  outage
}
/** Takes as long as an outage, and is asked for by name. */
const ONLY_BY_NAME: readonly string[] = ['outage']

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { records: { type: 'string' }, rounds: { type: 'string' }, minutes: { type: 'string' } }
})
/** Smaller sizes than the named ones, for a look at a machine that is busy. */
const sizes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))

for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length > 0 ? !wanted.includes(name) : ONLY_BY_NAME.includes(name)) continue
  console.log(`== ${name}`)
  await run(sizes).catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}
