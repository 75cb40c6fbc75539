import { AppError } from '../../../errors.ts'
import type { Json } from '../../../model/json.ts'
import { type Adapter, ALL_SCHEDULES, type RegistryKind } from '../../registry.ts'
import type { HttpClient } from '../client/guarded-client.ts'
import { answersOf } from '../mapping/answers.ts'
import { askInHalves } from '../mapping/ask-in-halves.ts'
import { credentialsOf } from '../mapping/credentials.ts'
import { followPointer, type JsonObject } from '../mapping/pointer.ts'
import { isAskable } from '../mapping/read-value.ts'
import type { Mapping } from '../mapping/rules.ts'
import { fitsAddress, questionOf } from './question.ts'
import { readReply } from './reply.ts'
import type { JsonSettings } from './settings.ts'

/** Pointers never begin so: the row of a registry without keys answers the one key there is. */
const NO_KEY = 'key'

function mappingOf(kind: RegistryKind, settings: JsonSettings): Mapping {
  const { key, keysPerCall } = settings
  const asks = JSON.stringify([settings.url, settings.body ?? null])
  const asksKeys = keysPerCall > 1 ? asks.includes('{keys}') : asks.includes('{key}') || asks.includes('{keys}')
  if (kind !== 'feeSchedule' && !(key && asksKeys)) {
    throw new AppError(
      'CONFIG_INVALID',
      'The registry needs "key", and {key} in its url or body ({keys} when keysPerCall is above 1).'
    )
  }
  return { ...settings, key: key ?? { from: NO_KEY, as: 'text' } }
}

const get = (row: JsonObject, from: string): Json | undefined =>
  from === NO_KEY ? ALL_SCHEDULES : followPointer(row, from)

/** Answers keys from an HTTP interface described by its settings. Throws `CONFIG_INVALID` for settings that cannot work. */
export function createJsonAdapter(
  kind: RegistryKind,
  settings: JsonSettings,
  { http, secret }: { readonly http: HttpClient; readonly secret: string | undefined }
): Adapter {
  const credentials = credentialsOf(settings.auth, secret)
  const mapping = mappingOf(kind, settings)
  return {
    kind,
    keysPerCall: settings.keysPerCall,
    async lookUp(keys, { asOf, signal }) {
      const asked = keys.filter(key => isAskable(key, mapping.key) && fitsAddress(key, settings))
      const replies = await askInHalves(asked.length > 0 ? [asked] : [], async set => {
        const question = questionOf(settings, { keys: set, asOf })
        const headers = { ...question.headers, ...credentials }
        return readReply(await http.send({ ...question, headers, signal }), settings)
      })
      return answersOf(keys, replies, { kind, mapping, get })
    }
  }
}
