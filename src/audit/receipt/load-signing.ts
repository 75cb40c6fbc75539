import { AppError } from '../../errors.ts'
import { type KeySettings, loadKeys } from '../log/signing/signing-keys.ts'
import type { SigningKeys } from './write-receipt.ts'

/**
 * The keys that sign the audit log, as far as this process has them; none is made. Read anew each time, since a worker may
 * have made the key after this process began. Throws `SIGNING_KEY_MISSING`.
 */
export async function loadSigning(
  log: Omit<KeySettings, 'dataFolder'> & { readonly origin: string },
  dataFolder: string
): Promise<SigningKeys> {
  const { origin, signingKey, keysFile } = log
  const { keys } = await loadKeys({ signingKey, keysFile, dataFolder }, false)
  if (keys.length > 0) return { origin, keys }
  throw new AppError(
    'SIGNING_KEY_MISSING',
    'This process has no key of the audit log. Set DOCKET_SIGNING_KEY for the API as for the workers.'
  )
}
