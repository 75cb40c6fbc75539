/** Soft hyphens, signs without width and marks of direction. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Text without signs that nobody sees and that part words which are one. */
export const withoutUnseen = (text: string): string => text.replaceAll(UNSEEN, '')
