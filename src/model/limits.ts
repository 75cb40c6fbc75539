/** Most seconds one document may be given; a job must not expire while its document is still within them. */
export const MAX_DOCUMENT_SECONDS = 3600

/** Of one file's chunks so many are queued at once; each commit queues the next. */
export const QUEUED_CHUNKS = 64
