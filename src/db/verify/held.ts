import { finder } from './snapshot.ts'

/** Held contents whose record is not held, follows another one, or has another content. */
export const findFalseHolders = finder(
  `select h.record_id as subject, case when r.id is null then 'speaks for a held content and does not exist'
     else 'speaks for a held content and is not held with it itself' end as message
   from held_content h left join record r on r.jurisdiction = $1 and r.id = h.record_id
   where h.jurisdiction = $1 and (r.id is null or r.state <> 'quarantined' or r.duplicate_of is not null
     or r.idempotency_key <> h.idempotency_key)`
)

/** Held records that follow none and whose content nobody speaks for. */
export const findUnclaimedContents = finder(
  `select r.id as subject, 'is held and its content is not on the list of held contents' as message
   from record r
   where r.jurisdiction = $1 and r.state = 'quarantined' and r.duplicate_of is null
     and not exists (select 1 from held_content h where h.jurisdiction = $1 and h.idempotency_key = r.idempotency_key)`
)

/** Held records that follow one which is not held with the same content: nobody will ever decide about them. */
export const findOrphanedFollowers = finder(
  `select r.id as subject, format('follows %s, which is not held with the same content', r.duplicate_of) as message
   from record r left join record t on t.jurisdiction = $1 and t.id = r.duplicate_of
   where r.jurisdiction = $1 and r.state = 'quarantined' and r.duplicate_of is not null
     and (t.id is null or t.state <> 'quarantined' or t.duplicate_of is not null or t.idempotency_key <> r.idempotency_key)`
)

/** Decided contents whose record is not decided, or has another content: sent again, they would end wrongly or be held. */
export const findFalseDecisions = finder(
  `select d.record_id as subject, case when r.id is null then 'speaks for a decided content and does not exist'
     when r.idempotency_key <> d.idempotency_key then 'speaks for a decided content that is not its own'
     else format('speaks for a decided content and is %s', r.state) end as message
   from decided_content d left join record r on r.jurisdiction = $1 and r.id = d.record_id
   where d.jurisdiction = $1 and (r.id is null or r.state = 'quarantined' or r.idempotency_key <> d.idempotency_key)`
)
