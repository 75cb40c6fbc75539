import { readFile } from 'node:fs/promises'
import { AppError } from '../../../errors.ts'

/**
 * The content of a JSON file named on a command line.
 * @throws AppError `CONFIG_INVALID` when it cannot be read or is not JSON.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('CONFIG_INVALID', `The file ${path} cannot be read. Check its path and rights.`, { cause })
  })
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const where = error instanceof Error ? /(?:line \d+ column \d+|position \d+)/.exec(error.message)?.[0] : undefined
    throw new AppError('CONFIG_INVALID', `The file ${path} is not JSON${where ? ` (${where})` : ''}.`)
  }
}
