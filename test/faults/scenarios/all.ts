import { crashPoints } from './crash/crash-points.ts'
import { cutUploads } from './crash/cut-uploads.ts'
import { lostAnswers } from './crash/lost-answers.ts'
import { poisonDocuments } from './crash/poison.ts'
import { powerCut } from './crash/power-cut.ts'
import { randomKills } from './crash/random-kills.ts'
import { crashLoop, rollingRestarts } from './crash/rolling.ts'
import { twoBuilds } from './crash/two-builds.ts'
import { zombies } from './crash/zombies.ts'
import { oldBackup } from './database/old-backup.ts'
import { restarts } from './database/restarts.ts'
import { frozen, halfOpen, partition } from './database/silence.ts'
import { longTransaction, schemaChange } from './database/slow.ts'
import { cutSessions, noConnections, readOnly, wrongClocks } from './database/unkind.ts'
import { twoWriters } from './database/writers.ts'
import { mutatedBodies, mutatedFiles, truncations } from './input/bad-input.ts'
import { limits } from './input/limits.ts'
import { fairness, oneKey, retryStorm } from './load/crowds.ts'
import { overload } from './load/overload.ts'
import type { Scenario } from './scenario.ts'
import { bitRot, brokenStore, failingSync, lostPayloads } from './storage/damage.ts'
import { fullDatabase, fullLog, fullStore } from './storage/full-disk.ts'

export const SCENARIOS: readonly Scenario[] = [
  randomKills,
  crashPoints,
  lostAnswers,
  zombies,
  rollingRestarts,
  cutUploads,
  poisonDocuments,
  powerCut,
  crashLoop,
  twoBuilds,
  restarts,
  frozen,
  partition,
  halfOpen,
  cutSessions,
  noConnections,
  twoWriters,
  readOnly,
  oldBackup,
  wrongClocks,
  longTransaction,
  schemaChange,
  fullStore,
  fullDatabase,
  fullLog,
  failingSync,
  bitRot,
  lostPayloads,
  brokenStore,
  oneKey,
  overload,
  fairness,
  mutatedFiles,
  mutatedBodies,
  truncations,
  limits,
  retryStorm
]
