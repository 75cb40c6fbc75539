import { enrichment } from './enrichment.ts'
import { latency } from './latency.ts'
import { scale } from './scale.ts'
import { throughput } from './throughput.ts'

const BENCHES = { throughput, latency, scale, enrichment } as const

const wanted = process.argv.slice(2)
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`== ${name}`)
  await run().catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}
