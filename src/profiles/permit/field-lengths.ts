/** Permit numbers longer than this are other content that slid into the column. */
export const MAX_NUMBER = 60

/** Names, types and other short texts. */
export const MAX_SHORT = 200

/** Descriptions of work run over pages in some feeds. */
export const MAX_LONG = 10_000
