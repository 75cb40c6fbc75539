/** A word of a schedule or a record as it is compared: case and white space do not tell values apart. */
export const foldWord = (word: string): string => word.trim().replace(/\s+/g, ' ').toLowerCase()
