import type { RouteOptions } from 'fastify'

interface Shape {
  /** The parts of the address; null stands for any one part. */
  readonly parts: readonly (string | null)[]
  readonly methods: readonly string[]
}

/** What is served, for the answer to a method that is not served at an address that is. */
export interface OtherMethods {
  /** A hook for routes as they are added. */
  readonly note: (route: RouteOptions) => void
  /** The methods served at the address of a request, in order of their names; empty where nothing is. */
  readonly at: (url: string) => readonly string[]
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/')

/** Keeps the addresses and methods of all routes. Pages that end in `*` are left out: what they hold is not known here. */
export function createOtherMethods(): OtherMethods {
  const shapes: Shape[] = []
  return {
    note: ({ url, method }) => {
      if (url.includes('*')) return
      const parts = partsOf(url).map(part => (part.startsWith(':') ? null : part))
      shapes.push({ parts, methods: [method].flat().map(String) })
    },
    at: url => {
      const [path = ''] = url.split('?', 1)
      const given = partsOf(path)
      const served = shapes.filter(
        ({ parts }) =>
          parts.length === given.length &&
          parts.every((part, index) => (part === null ? given[index] !== '' : part === given[index]))
      )
      return [...new Set(served.flatMap(({ methods }) => methods))].toSorted()
    }
  }
}
