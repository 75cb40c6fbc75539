import { pathToFileURL } from 'node:url'
import type { EngineModule } from '../engine.ts'

/** The engine that comes with this service. */
export const OWN_ENGINE = 'tesseract'

/** Loads an engine: the one of ours by its name, any other from the path of its module. */
export async function loadEngine(engine: string): Promise<EngineModule> {
  const file = engine === OWN_ENGINE ? new URL('tesseract.ts', import.meta.url) : pathToFileURL(engine)
  const { name, createEngine } = (await import(file.href)) as Partial<EngineModule>
  if (typeof name !== 'string' || typeof createEngine !== 'function') {
    throw new TypeError('The module of an OCR engine exports a name and createEngine.')
  }
  return { name, createEngine }
}
