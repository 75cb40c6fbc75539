import { openApiText } from '../api/openapi.ts'
import { type Io, readArguments } from './command.ts'

/** `docket openapi`: the API's description as YAML on standard output. */
export async function openapi(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  io.out((await openApiText()).trimEnd())
  return 0
}
