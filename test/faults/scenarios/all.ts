import { crashPoints } from './crash/crash-points.ts'
import { cutUploads } from './crash/cut-uploads.ts'
import { lostAnswers } from './crash/lost-answers.ts'
import { randomKills } from './crash/random-kills.ts'
import { zombies } from './crash/zombies.ts'
import { restarts } from './database/restarts.ts'
import { frozen, halfOpen, partition } from './database/silence.ts'
import { cutSessions, noConnections, readOnly, wrongClocks } from './database/unkind.ts'
import { fairness, oneKey, retryStorm } from './load/crowds.ts'
import type { Scenario } from './scenario.ts'
import { bitRot, brokenStore, failingSync, lostPayloads } from './storage/damage.ts'
import { fullDatabase, fullStore } from './storage/full-disk.ts'

export const SCENARIOS: readonly Scenario[] = [
  randomKills,
  crashPoints,
  lostAnswers,
  zombies,
  cutUploads,
  restarts,
  frozen,
  partition,
  halfOpen,
  cutSessions,
  noConnections,
  readOnly,
  wrongClocks,
  fullStore,
  fullDatabase,
  failingSync,
  bitRot,
  lostPayloads,
  brokenStore,
  oneKey,
  fairness,
  retryStorm
]
