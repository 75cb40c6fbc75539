/** The package's own declarations are not found under its export map. */
declare module 'tesseract-wasm' {
  export interface TextItem {
    readonly rect: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
    /** Bit 0: first of its line; bit 1: last of it. */
    readonly flags: number
    readonly confidence: number
    readonly text: string
  }

  export interface OCREngine {
    loadModel(model: Uint8Array): void
    setVariable(name: string, value: string): void
    loadImage(image: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }): void
    clearImage(): void
    getTextBoxes(unit: 'word' | 'line'): TextItem[]
    destroy(): void
  }

  export function createOCREngine(options: { readonly wasmBinary: Uint8Array }): Promise<OCREngine>
}
