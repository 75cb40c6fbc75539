import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { errorFields } from '../logger.ts'
import { type Command, type Io, UsageError } from './command.ts'

interface Entry {
  readonly usage: string
  readonly summary: string
  /** Loaded when it is asked for: `docket migrate` needs no web server. */
  readonly load: () => Promise<Command>
}

const COMMANDS: Readonly<Record<string, Entry>> = {
  start: {
    usage: 'start',
    summary: 'database, API and worker on this machine, data under DOCKET_DATA',
    load: async () => (await import('./start.ts')).start
  },
  api: {
    usage: 'api',
    summary: 'an API on DATABASE_URL, at DOCKET_HOST and DOCKET_PORT',
    load: async () => (await import('./api.ts')).api
  },
  worker: {
    usage: 'worker',
    summary: 'a worker on DATABASE_URL; any number, on any machines',
    load: async () => (await import('./worker.ts')).worker
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the database to this version',
    load: async () => (await import('./migrate.ts')).migrate
  },
  keys: {
    usage: 'keys create|list|revoke',
    summary: 'API keys: create --name N --scope S --jurisdiction J [--days D], revoke ID',
    load: async () => (await import('./keys.ts')).keys
  },
  verify: {
    usage: 'verify',
    summary: 'check that nothing is lost, doubled or altered: --jurisdiction J, --payloads to read every byte',
    load: async () => (await import('./verify.ts')).verify
  },
  doctor: {
    usage: 'doctor [--json]',
    summary: 'what endangers this deployment, and what to do: status 1 for faults, 3 for warnings alone',
    load: async () => (await import('./doctor/doctor.ts')).doctor
  },
  redrive: {
    usage: 'redrive --jurisdiction J',
    summary:
      'which held records would run again, by [--reason CODE] [--batch ID] [--source S] [--min-age 2h]; --run runs them',
    load: async () => (await import('./operations/redrive.ts')).redrive
  },
  poison: {
    usage: 'poison [--jurisdiction J]',
    summary: 'files that ended the process that read them, hung or grew too large, by id and digest',
    load: async () => (await import('./operations/poison.ts')).poison
  },
  pause: {
    usage: 'pause [--jurisdiction J] [--lane L]',
    summary: 'hold back work: --reason TEXT, --drain to wait until none of it runs; without arguments: what is paused',
    load: async () => (await import('./operations/pause.ts')).pause
  },
  resume: {
    usage: 'resume [--jurisdiction J] [--lane L]',
    summary: 'let go of work that was held back: --reason TEXT',
    load: async () => (await import('./operations/pause.ts')).resume
  },
  audit: {
    usage: 'audit keys|verify|receipt|public',
    summary:
      'keys --jurisdiction J: the public keys of the audit log; verify EXPORT --checkpoints FILE --keys FILE [--payloads FOLDER]: an export of it, without a database; receipt RECEIPT --keys FILE; public EXPORT --keys FILE [--disclosed FILE]',
    load: async () => (await import('./audit/audit.ts')).audit
  },
  retention: {
    usage: 'retention set|list|run|hold|release',
    summary:
      'set --jurisdiction J --profile P [--payload DAYS|off] [--record DAYS|off], list [--jurisdiction J], run [--dry-run], hold|release --jurisdiction J --batch ID|--record ID',
    load: async () => (await import('./retention/retention.ts')).retention
  },
  registry: {
    usage: 'registry load|lint|configure|warm|status',
    summary:
      'load parcel|zoning|property FILE --jurisdiction J [--day D] [--map COLUMN=NAME] [--partial] [--dry-run], load fees FILE [--sign-off NAME] [--dry-run], lint FILE, configure FILE [--dry-run], warm [--jurisdiction J], status',
    load: async () => (await import('./registry.ts')).registry
  },
  rules: {
    usage: 'rules load FILE',
    summary: 'the rules of a jurisdiction, put in force from a file; --dry-run tells what would change',
    load: async () => (await import('./rules/rules.ts')).rules
  },
  openapi: {
    usage: 'openapi',
    summary: "the API's description as YAML",
    load: async () => (await import('./openapi.ts')).openapi
  },
  demo: {
    usage: 'demo',
    summary: 'the whole system on the samples, in a temporary folder',
    load: async () => (await import('./demo.ts')).demo
  }
}

const HELP = ['help', '--help', '-h']

/** Runs one command line and answers the exit status: 0 done, 1 failed, 2 not understood. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const [name = 'help', ...rest] = args
  if (HELP.includes(name)) {
    io.out(helpText())
    return 0
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry === undefined) {
    io.err(`docket: there is no command "${name}".\n\n${helpText()}`)
    return 2
  }
  if (rest.some(argument => HELP.includes(argument) && argument !== 'help')) {
    io.out(`usage: docket ${entry.usage}\n${entry.summary}`)
    return 0
  }
  try {
    const command = await entry.load()
    return await command(rest, io)
  } catch (error) {
    return explain(error, entry, io)
  }
}

function helpText(): string {
  const width = Math.max(...Object.values(COMMANDS).map(entry => entry.usage.length))
  const lines = Object.values(COMMANDS).map(entry => `  docket ${entry.usage.padEnd(width)}  ${entry.summary}`)
  return ['Commands:', ...lines, '', 'The environment variables it reads are listed in README.md.'].join('\n')
}

/** What the one who types a command can do, where the message does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  DATABASE_UNAVAILABLE: ' Look whether the server of DATABASE_URL runs, takes connections and knows this user.'
}

/** Messages of our own errors say what to do and hold no submitted value; of others only the code and place are shown. */
function explain(error: unknown, entry: Entry, io: Io): number {
  if (error instanceof UsageError) {
    io.err(`docket: ${error.message}\nusage: docket ${entry.usage}`)
    return 2
  }
  if (error instanceof AppError) {
    const advice = Object.hasOwn(ADVICE, error.code) ? ADVICE[error.code] : ''
    io.err(`docket: ${error.message}${advice} (${error.code})`)
    return 1
  }
  const { code, name, stack } = errorFields(error)
  io.err(`docket: unexpected ${String(name)} (${String(code)})\n${typeof stack === 'string' ? stack : ''}`)
  return 1
}

if (import.meta.main) {
  // Sources are stripped and compiled once, not at each start; where the folder cannot be written nothing is kept.
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/docket'))
  const io: Io = {
    out: line => process.stdout.write(`${line}\n`),
    err: line => process.stderr.write(`${line}\n`),
    env: process.env
  }
  // Ends here whatever is still open: a command that has answered has closed what matters.
  process.exit(await main(process.argv.slice(2), io))
}
