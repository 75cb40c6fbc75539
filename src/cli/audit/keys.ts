import { writeVerifier } from '../../audit/log/signing/signed-note.ts'
import { verifiersFor } from '../../audit/log/signing/signing-keys.ts'
import { loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { loadLogKeys } from './log-keys.ts'

const OPTIONS = { jurisdiction: { type: 'string', multiple: true } } as const

/** `docket audit keys --jurisdiction J`: the public keys that checkpoints are verified with, one a line, for handing out. */
export async function printKeys(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const { jurisdiction = [] } = values
  if (positionals.length > 0 || jurisdiction.length === 0) throw new UsageError('Say --jurisdiction, once or more.')
  const config = loadConfig(io.env)
  const { origin, keys, retired } = await loadLogKeys(config)
  const verifiers = jurisdiction.flatMap(code => verifiersFor(origin, code, keys, retired))
  if (verifiers.length === 0) {
    throw new AppError(
      'CONFIG_INVALID',
      'There is no signing key here. A worker makes one in DOCKET_DATA when it starts; or set DOCKET_SIGNING_KEY.'
    )
  }
  for (const verifier of verifiers) io.out(writeVerifier(verifier))
  return 0
}
