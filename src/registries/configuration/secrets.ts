import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret of a jurisdiction by its name; undefined when there is none. */
export type ReadSecret = (jurisdiction: string, name: string) => Promise<string | undefined>

/**
 * Reads secrets from files `<folder>/<jurisdiction>/<name>`, as orchestrators mount them; a line end behind one is no part
 * of it. Names have been checked by the settings: none leads out of the folder.
 */
export function createSecrets(folder: string | undefined): ReadSecret {
  return async (jurisdiction, name) => {
    if (folder === undefined) return undefined
    try {
      const text = await readFile(join(folder, jurisdiction, name), 'utf8')
      return text.replace(/\r?\n$/, '')
    } catch {
      return undefined
    }
  }
}
