import type { Config } from '../../config.ts'
import type { DiskUse } from '../../storage/disk-use.ts'
import { type Finding, finding } from './findings.ts'

/** What is known of this machine. */
export interface MachineState {
  /** By what lies there. */
  readonly disks: readonly { readonly place: string; readonly use: DiskUse | undefined }[]
  readonly isStoreThere: boolean
  /** What shutting in the processes that read documents lacks. */
  readonly isolationMissing: readonly string[]
  /** Keys that sign checkpoints; undefined where they cannot be read. */
  readonly signingKeys: number | undefined
}

const share = (used: number): string => `${Math.floor(used * 100)} %`

function disks({ disks: all }: MachineState, config: Config): Finding[] {
  return all.flatMap(({ place, use }) => {
    if (!use) return []
    const used = Math.max(use.used, use.usedEntries)
    const message = `The disk of ${place} is ${share(used)} full; ${Math.floor(use.freeBytes / 2 ** 20)} MB are free.`
    if (used >= config.disk.high) return [finding('DISK_FULL', message)]
    return used >= config.disk.low ? [finding('DISK_FILLING', message)] : []
  })
}

function signing({ signingKeys }: MachineState, config: Config): Finding[] {
  const found: Finding[] = []
  if (!signingKeys)
    found.push(finding('SIGNING_KEY_MISSING', 'No key to sign checkpoints of the audit log can be read here.'))
  else if (config.log.signingKey === undefined) {
    found.push(
      finding('SIGNING_KEY_IN_DATA', 'The key that signs the audit log lies in DOCKET_DATA, beside what it signs.')
    )
  }
  const places = config.log.destinations.length
  if (places < 2) {
    found.push(
      finding('CHECKPOINT_PLACES_FEW', `Checkpoints go to ${places === 0 ? 'no place' : 'one place'} outside.`)
    )
  }
  return found
}

/** What is wrong with this machine and its settings. */
export function judgeMachine(state: MachineState, config: Config): Finding[] {
  const { isolationMissing } = state
  return [
    ...disks(state, config),
    ...(state.isStoreThere ? [] : [finding('STORE_AWAY', 'The payload store cannot be written to.')]),
    ...(isolationMissing.length > 0
      ? [
          finding(
            'ISOLATION_DEGRADED',
            `Documents are read with less isolation: ${isolationMissing.join(', ')} is missing.`
          )
        ]
      : []),
    ...signing(state, config)
  ]
}
