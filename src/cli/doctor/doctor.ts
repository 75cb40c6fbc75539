import { loadConfig } from '../../config.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { examine } from './examine.ts'
import type { Finding, Severity } from './findings.ts'

const OPTIONS = { json: { type: 'boolean', default: false } } as const

const ORDER: readonly Severity[] = ['fault', 'warning', 'note']

/** Faults and warnings have statuses of their own, so that a monitor can tell them apart; notes are no reason to wake anybody. */
const FAULTS = 1
const WARNINGS = 3

const statusOf = (findings: readonly Finding[]): number => {
  if (findings.some(one => one.severity === 'fault')) return FAULTS
  return findings.some(one => one.severity === 'warning') ? WARNINGS : 0
}

function print(findings: readonly Finding[], io: Io): void {
  for (const { severity, code, message, advice, subjects = [] } of findings) {
    io.out(`${severity.padEnd(8)} ${code}: ${message}`)
    io.out(`         ${advice}`)
    for (const subject of subjects) io.out(`           ${subject}`)
  }
  const counts = ORDER.map(severity => {
    const count = findings.filter(one => one.severity === severity).length
    return `${count} ${severity}${count === 1 ? '' : 's'}`
  })
  io.out(`${counts.join(', ')}.`)
}

/**
 * `docket doctor [--json]`: what endangers this deployment, and what to do. Changes nothing. Exit status 1 for a fault, 3
 * for warnings alone, else 0.
 */
export async function doctor(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const found = await withDatabase(config, io.err, pool => examine({ pool, config, now: () => Date.now() }))
  const findings = found.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
  if (values.json) io.out(JSON.stringify({ status: statusOf(findings), findings }))
  else print(findings, io)
  return statusOf(findings)
}
