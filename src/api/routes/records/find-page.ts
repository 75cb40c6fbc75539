import { z } from 'zod'
import type { StoredRecord } from '../../../db/reads/record-reads.ts'
import { AppError } from '../../../errors.ts'
import { PAGE_SIZES, type PageSize } from '../../../extract/render/page-size.ts'
import type { PagedFile, WantedPage } from '../../../pipeline/page-images/page-images.ts'
import type { Principal } from '../../access/principal.ts'
import type { ApiDeps } from '../../deps.ts'
import { findPayload } from './find-payload.ts'
import { findRecord } from './find-record.ts'

/** A page is any text in the address: what is no number of a page does not exist. */
export const PageParams = z.object({
  id: z.string(),
  page: z.string().meta({ description: 'The number of the page, from 1' })
})

export const PageSizes = z.enum(Object.keys(PAGE_SIZES) as [PageSize, ...PageSize[]])

const PAGE = /^[1-9]\d{0,5}$/

/** The file of a record as far as its pages go, and the page asked for. Throws `NOT_FOUND` and `PAGE_NOT_FOUND`. */
export async function findPage(
  deps: ApiDeps,
  principal: Principal,
  { id, page, size }: { readonly id: string; readonly page: string; readonly size: PageSize }
): Promise<{ readonly record: StoredRecord; readonly file: PagedFile; readonly wanted: WantedPage }> {
  const record = await findRecord(deps, id, principal)
  if (!PAGE.test(page)) throw new AppError('PAGE_NOT_FOUND', 'A page is named by its number, from 1.')
  const payload = await findPayload(deps, record)
  if (payload.kind !== 'document') {
    throw new AppError('PAGE_NOT_FOUND', 'The file of this record has no pages: only documents have.', {
      details: { page_count: 0 }
    })
  }
  return { record, file: { jurisdiction: record.jurisdiction, ...payload }, wanted: { number: Number(page), size } }
}
