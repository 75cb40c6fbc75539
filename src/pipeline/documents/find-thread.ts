import { parentPort, workerData } from 'node:worker_threads'
import type { ChildAnswer } from '../../extract/answer.ts'
import { hasUnreadPages } from '../../extract/ocr/unread-pages.ts'
import { decodeAnswer } from '../../extract/wire.ts'
import { findFields } from '../../profiles/find/find-fields.ts'
import { placeBack } from '../../profiles/find/recognised/place-back.ts'
import { findListing } from '../../profiles/listing/find-listing.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import type { FindRequest, FindResponse, ThreadData } from './finder.ts'

const { profileFolder } = workerData as ThreadData
const profiles = await loadProfiles(profileFolder)

function responseTo({ answer, profile: name, context }: FindRequest): FindResponse {
  let decoded: ChildAnswer
  try {
    decoded = decodeAnswer(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
  } catch {
    return { kind: 'malformed' }
  }
  if (!decoded.ok) return { kind: 'malformed' }
  const { document } = decoded
  const profile = profiles.get(name)
  if (!profile) return { kind: 'failed', error: new Error('The profile was not there when this thread began.') }
  try {
    const listed = findListing(profile, document, context)
    const read = listed ?? [findFields(profile, document, context)]
    const candidates = read.map(candidate => placeBack(document, candidate))
    return { kind: 'found', candidates, isListing: listed !== null, hasUnreadPages: hasUnreadPages(document) }
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error : new Error(typeof error) }
  }
}

parentPort?.on('message', (request: FindRequest) => parentPort?.postMessage(responseTo(request), []))
