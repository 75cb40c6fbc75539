/** `node run-within.ts SECONDS COMMAND…`: runs a command and fails when it takes longer, for tools that once hung. */
import { spawnSync } from 'node:child_process'

const [seconds, command, ...rest] = process.argv.slice(2)
if (command === undefined) throw new Error('usage: run-within.ts SECONDS COMMAND…')
const { status, error } = spawnSync(command, rest, { stdio: 'inherit', timeout: Number(seconds) * 1000 })
if (error !== undefined) console.error(`${command}: ${error.message}`)
process.exitCode = status ?? 1
