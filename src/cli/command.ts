/** What a command may use of the world around it; tests hand in their own. */
export interface Io {
  /** One line of result, on standard output. */
  readonly out: (line: string) => void
  /** One line of explanation, on standard error. */
  readonly err: (line: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Command {
  /** One line for `docket help`. */
  readonly summary: string
  /** What may follow the command's name. */
  readonly usage: string
  /** Answers the exit status. Throws `UsageError` for arguments it does not know. */
  readonly run: (args: readonly string[], io: Io) => Promise<number>
}

/** Arguments that make no sense; the message says what to give instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
