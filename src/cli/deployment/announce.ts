/** Tells the parent (`docket start`) that this process is ready; alone on a command line nobody listens. */
export function announce(message: Readonly<Record<string, string>>): void {
  if (process.send !== undefined) process.send(message)
}
