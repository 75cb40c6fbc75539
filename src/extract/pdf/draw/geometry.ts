/** `[a, b, c, d, e, f]` as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** The matrix that applies `inner` first and `outer` to its result. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5]
  ]
}

/** Reads six finite numbers out of an operator's argument; null for anything else. */
export function toMatrix(value: unknown): Matrix | null {
  if (typeof value !== 'object' || value === null) return null
  const numbers = Array.isArray(value) ? value.map(Number) : value instanceof Float32Array ? [...value] : []
  if (numbers.length !== 6) return null
  const [a, b, c, d, e, f] = numbers
  const matrix = [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0] as const
  return matrix.every(Number.isFinite) ? matrix : null
}

/** Left, top, right and bottom in points of the displayed page. */
export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The smallest upright rectangle around the image of `[x0, y0, x1, y1]` under `matrix`. */
export function imageOf(matrix: Matrix, corners: readonly [number, number, number, number]): Rectangle {
  const [x0, y0, x1, y1] = corners
  const xs: number[] = []
  const ys: number[] = []
  for (const [x, y] of [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1]
  ] as const) {
    xs.push(matrix[0] * x + matrix[2] * y + matrix[4])
    ys.push(matrix[1] * x + matrix[3] * y + matrix[5])
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

/** How much of the length of the shorter of two spans both share, 0–1. */
export function spanOverlap(a0: number, a1: number, b0: number, b1: number): number {
  const shorter = Math.min(a1 - a0, b1 - b0)
  return shorter <= 0 ? 0 : Math.max(0, Math.min(a1, b1) - Math.max(a0, b0)) / shorter
}
