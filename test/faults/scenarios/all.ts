import { crashPoints } from './crash/crash-points.ts'
import { cutUploads } from './crash/cut-uploads.ts'
import { lostAnswers } from './crash/lost-answers.ts'
import { powerCut } from './crash/power-cut.ts'
import { randomKills } from './crash/random-kills.ts'
import { crashLoop, rollingRestarts } from './crash/rolling.ts'
import { zombies } from './crash/zombies.ts'
import { restarts } from './database/restarts.ts'
import { frozen, halfOpen, partition } from './database/silence.ts'
import { longTransaction, schemaChange } from './database/slow.ts'
import { cutSessions, noConnections, readOnly, wrongClocks } from './database/unkind.ts'
import { fairness, oneKey, retryStorm } from './load/crowds.ts'
import { overload } from './load/overload.ts'
import type { Scenario } from './scenario.ts'
import { bitRot, brokenStore, failingSync, lostPayloads } from './storage/damage.ts'
import { fullDatabase, fullStore } from './storage/full-disk.ts'

export const SCENARIOS: readonly Scenario[] = [
  randomKills,
  crashPoints,
  lostAnswers,
  zombies,
  rollingRestarts,
  cutUploads,
  powerCut,
  crashLoop,
  restarts,
  frozen,
  partition,
  halfOpen,
  cutSessions,
  noConnections,
  readOnly,
  wrongClocks,
  longTransaction,
  schemaChange,
  fullStore,
  fullDatabase,
  failingSync,
  bitRot,
  lostPayloads,
  brokenStore,
  oneKey,
  overload,
  fairness,
  retryStorm
]
