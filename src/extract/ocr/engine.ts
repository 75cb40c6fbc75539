import type { GreyImage } from './image/grey.ts'

/** A word as an engine read it, in pixels of the picture it was given. */
export interface ReadWord {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** The engine's own estimate, 0–1, that every character is right. */
  readonly confidence: number
  /** Words of one line share a number; lines are numbered in the engine's reading order. */
  readonly line: number
}

/**
 * What recognises text in pictures. It is given the picture of an upright page, dark on light, and runs in an extraction
 * process: without network, files and processes, under ceilings of memory and time. The same picture gives the same words.
 */
export interface OcrEngine {
  read(image: GreyImage): readonly ReadWord[] | Promise<readonly ReadWord[]>
}

/** What the module of an engine exports. */
export interface EngineModule {
  /** Name and version of the engine and its model; results are kept under it. */
  readonly name: string
  readonly createEngine: () => Promise<OcrEngine>
}
