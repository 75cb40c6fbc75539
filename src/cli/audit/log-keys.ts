import { loadKeys } from '../../audit/log/signing/signing-keys.ts'
import type { LogKeys } from '../../audit/verify/check-log.ts'
import type { Config } from '../../config.ts'

/** The keys of the configured audit log, as far as they are known here; none is made. */
export async function loadLogKeys(config: Config): Promise<LogKeys> {
  const { origin, signingKey, keysFile } = config.log
  return { origin, ...(await loadKeys({ signingKey, keysFile, dataFolder: config.data }, false)) }
}
