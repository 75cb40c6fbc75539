import {
  type Checkpoint,
  judgeSignatures,
  readCheckpoint,
  readNote,
  type VerifierKey
} from '../log/signing/signed-note.ts'

type Report = (check: string, place: string, message: string) => void

/** Checkpoints that somebody holds, the smallest first; what cannot be used is reported. */
export function readCheckpoints(
  notes: readonly { readonly name: string; readonly text: string }[],
  options: { readonly jurisdiction: string; readonly keys: readonly VerifierKey[]; readonly report: Report }
): Checkpoint[] {
  const { jurisdiction, keys, report } = options
  const heads: Checkpoint[] = []
  for (const { name, text } of notes) {
    const head = readCheckpoint(readNote(text)?.text ?? '')
    const worth = judgeSignatures(text, keys)
    if (!head) report('checkpoint-form', name, 'is no signed checkpoint')
    else if (worth !== 'valid') {
      report(
        'checkpoint-signature',
        name,
        worth === 'unknown' ? 'is signed by none of the keys' : 'has a false signature'
      )
    } else if (!head.origin.endsWith(`/${jurisdiction}`)) {
      report('checkpoint-origin', name, `is of the log ${head.origin}`)
    } else heads.push(head)
  }
  return heads.toSorted((a, b) => a.size - b.size)
}
