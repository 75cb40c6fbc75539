import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** A regular expression as it stands in a source file. */
export interface FoundRegex {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Behind one of these a slash begins an expression; behind anything else it divides. */
const BEFORE =
  /(?:^|[=(,:[!&|?{};<>+\-*%~^]|\b(?:return|typeof|case|in|of|do|else|void|delete|yield|await|instanceof))$/

/** Every literal expression of a source text. */
export function regexesIn(file: string, text: string): FoundRegex[] {
  const found: FoundRegex[] = []
  const code = stripTypeScriptTypes(text)
  // Depths of braces at which a template goes on.
  const templates: number[] = []
  let depth = 0
  let before = ''
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const taken = pattern.exec(code)?.[0] ?? code.charAt(at)
    at += taken.length
    return taken
  }
  while (at < code.length) {
    const char = code.charAt(at)
    if (/\s/.test(char)) {
      at += 1
    } else if (code.startsWith('//', at)) {
      take(/.*/y)
    } else if (code.startsWith('/*', at)) {
      at = code.indexOf('*/', at) + 2
    } else if (char === "'" || char === '"') {
      take(char === "'" ? /'(?:[^'\\]|\\[^])*'/y : /"(?:[^"\\]|\\[^])*"/y)
      before = '"'
    } else if (char === '`' || (char === '}' && templates.at(-1) === depth)) {
      if (char === '}') templates.pop()
      const part = take(/[`}](?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y)
      if (part.endsWith('${')) templates.push(depth)
      before = part.endsWith('${') ? '(' : '"'
    } else if (char === '/' && BEFORE.test(before)) {
      const line = code.slice(0, at).split('\n').length
      const literal = take(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y)
      const end = literal.lastIndexOf('/')
      found.push({ file, line, source: literal.slice(1, end), flags: literal.slice(end + 1) })
      before = '"'
    } else {
      const token = take(/[\w$]+|./y)
      if (token === '{') depth += 1
      if (token === '}') depth -= 1
      before = token
    }
  }
  return found
}

/** Every literal expression of the sources. */
export function regexesOf(root: string): FoundRegex[] {
  const files = globSync('src/**/*.ts', { cwd: root }).toSorted()
  return files.flatMap(file => regexesIn(file, readFileSync(join(root, file), 'utf8')))
}

/** Folders whose modules make expressions of parts when they are loaded, and do nothing else then. */
const MAKERS = 'src/{media,model,normalize,profiles,tabular}/**/*.ts'

/** Expressions that modules put together of parts: those made while all of them are loaded. */
export async function madeRegexes(root: string): Promise<FoundRegex[]> {
  const made: FoundRegex[] = []
  const original = globalThis.RegExp
  for (const file of globSync(MAKERS, { cwd: root }).toSorted()) {
    globalThis.RegExp = new Proxy(original, {
      construct(target, [source, flags]: [string | RegExp, string?]) {
        const regex = new target(source, flags)
        made.push({ file, line: 0, source: regex.source, flags: regex.flags })
        return regex
      }
    })
    try {
      await import(join(root, file))
    } finally {
      globalThis.RegExp = original
    }
  }
  return made
}
