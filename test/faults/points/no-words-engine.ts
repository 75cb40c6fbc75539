import type { EngineModule } from '../../../src/extract/ocr/engine.ts'

/** Sees no word on any page, at once: what is tested is the way to it. */
export const name = 'no-words@1'
export const createEngine: EngineModule['createEngine'] = async () => ({ read: () => [] })
