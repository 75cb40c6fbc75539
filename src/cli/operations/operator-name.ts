import { hostname, userInfo } from 'node:os'

/** Who acts on the command line, as far as the machine knows. */
export function operatorName(): string {
  try {
    return `cli:${userInfo().username}@${hostname()}`
  } catch {
    // An account without a name.
    return `cli:${process.getuid?.() ?? 'unknown'}@${hostname()}`
  }
}
