/** Told of a document whose pages have to be recognised: it goes on in a queue of its own. */
export const TO_RECOGNISE = Symbol('to be recognised')
