import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** What a command may use of the world around it; tests hand in their own. */
export interface Io {
  /** One line of result, on standard output. */
  readonly out: (line: string) => void
  /** One line of explanation, on standard error. */
  readonly err: (line: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Answers the exit status. Throws `UsageError` for arguments it does not know. */
export type Command = (args: readonly string[], io: Io) => Promise<number>

/** Arguments that make no sense; the message says what to give instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `parseArgs` of Node, strict, with its complaint as a `UsageError`. */
export function readArguments<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T
): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments could not be read.')
  }
}
