import { z } from 'zod'
import { listEntriesOfSubject } from '../../../db/reads/audit-reads.ts'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import { readAnswers } from '../../../db/registries/answers.ts'
import { answerIn } from '../../../pipeline/enrich/kept-answers.ts'
import { REGISTRY_KINDS, type RegistryKind } from '../../../registries/registry.ts'
import { problemResponses } from '../../http/problem-responses.ts'
import { presentEntry } from '../../present/audit-entry.ts'
import { IdParams } from '../../present/schemas.ts'
import type { Route } from '../../route.ts'
import { findRecord } from './find-record.ts'

const AnswerBody = z.object({
  registry: z.enum(REGISTRY_KINDS),
  value: z.string().meta({ description: 'What the record says and was looked up; `*` for all fee schedules' }),
  answer: z.record(z.string(), z.unknown()).meta({
    description:
      'Its kind, what the registry told, the adapter, and when that was given; `key` where it was looked up by another form'
  })
})

const AnswersBody = z.object({
  digest: z
    .string()
    .nullable()
    .meta({ description: 'As in the `detail` of the audit entry of the run; null when no registry was asked' }),
  data: z.array(AnswerBody)
})

/** The field whose value each kind is looked up by. */
const FIELD_OF = { parcel: 'parcel_id', zoning: 'parcel_id', property: 'property_id', feeSchedule: null } as const

function valueOf(record: StoredRecord, kind: RegistryKind): string | undefined {
  const field = FIELD_OF[kind]
  if (field === null) return '*'
  const value = record.content?.[field]
  return typeof value === 'string' ? value : undefined
}

function answersOf(record: StoredRecord, text: string): z.infer<typeof AnswerBody>[] {
  return REGISTRY_KINDS.flatMap(kind => {
    const value = valueOf(record, kind)
    const answer = value === undefined ? undefined : answerIn(text, kind, value)
    return value === undefined || !answer ? [] : [{ registry: kind, value, answer }]
  })
}

/** Most entries of a chain that are looked through. */
const MAX_ENTRIES = 10_000

export const getAnswers: Route = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/records/:id/answers',
    config: { access: ['read', 'review'] },
    schema: {
      tags: ['records'],
      summary: 'What registries answered that the record was judged by last, kept as it was then',
      params: IdParams,
      response: { 200: AnswersBody, ...problemResponses(400, 401, 403, 404, 410, 503) }
    },
    handler: async (request, reply) => {
      const record = await findRecord(deps, request.params.id, request.principal)
      const { id, jurisdiction } = record
      const entries = await listEntriesOfSubject(deps.pool, jurisdiction, id, { after: 0, limit: MAX_ENTRIES })
      const digests = entries.map(entry => presentEntry(entry).detail['answers'])
      const digest = digests.findLast(each => typeof each === 'string')
      const text = digest === undefined ? undefined : await readAnswers(deps.pool, jurisdiction, id, digest)
      reply.header('cache-control', 'no-store')
      return { digest: digest ?? null, data: text === undefined ? [] : answersOf(record, text) }
    }
  })
}
