import { z } from 'zod'
import { actorText, sentenceOf } from '../../../../audit/history/plain-words.ts'
import type { StoredEntry } from '../../../../db/reads/audit-reads.ts'
import type { Json } from '../../../../model/json.ts'
import { presentEntry } from '../../../present/audit-entry.ts'
import { listOf, PAGE_END, pageTop, rowOf, TABLE_END, tableTop } from '../../../present/html-page.ts'

export const HistoryEvent = z
  .object({
    seq: z.number().int().meta({ description: 'Number of the audit entry that tells of it' }),
    at: z.string().meta({ format: 'date-time' }),
    actor: z.string(),
    transition: z.string(),
    text: z.string().meta({ description: 'What happened, as a sentence' })
  })
  .meta({ id: 'HistoryEvent' })
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** What entries of a record tell, step by step. */
export const eventsOf = (entries: readonly StoredEntry[]): HistoryEvent[] =>
  entries.map(presentEntry).flatMap(({ seq, actor, batch_id: batch, reasons, detail, transitions }) =>
    transitions.map(({ transition, at }) => ({
      seq,
      at,
      actor,
      transition,
      text: sentenceOf(transition, { batch, reasons, detail: detail as { [name: string]: Json } })
    }))
  )

/** The record that a history is of. */
export interface HistoryOf {
  readonly id: string
  readonly jurisdiction: string
}

const titleOf = ({ id }: HistoryOf): string => `History of record ${id}`

/** Times to the second: what people read. */
const secondOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

const MORE = 'More happened than this page shows; the JSON answer goes on.'

/** A history as plain text, one line for each step. */
export function historyText(of: HistoryOf, events: readonly HistoryEvent[], isCut: boolean): string {
  const lines = events.map(({ at, actor, text }) => `${secondOf(at)}  ${text} (${actorText(actor)})`)
  return [`${titleOf(of)} in jurisdiction ${of.jurisdiction}`, '', ...lines, ...(isCut ? [MORE] : []), ''].join('\n')
}

/** A history as a page that stands by itself. */
export function historyPage(of: HistoryOf, events: readonly HistoryEvent[], isCut: boolean): string {
  const rows = events.map(({ at, actor, text }) => rowOf([secondOf(at), text, actorText(actor)]))
  const summary = listOf([
    ['Jurisdiction', of.jurisdiction],
    ...(isCut ? [['Note', MORE] as const] : []),
    ['Source', 'the audit trail; no value of the record stands here']
  ])
  return `${pageTop(titleOf(of))}${summary}${tableTop('Steps', ['When', 'What happened', 'By'])}${rows.join('')}${TABLE_END}${PAGE_END}`
}
