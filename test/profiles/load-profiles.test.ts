import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'

const definition = (name: string): string => `export const profile = {
  name: '${name}', version: 1, title: 'Licence', rules: [], gate: { threshold: 0.8 }, naturalKey: ['licence_number'],
  fields: { licence_number: { type: 'identifier', title: 'Number', pii: 'P0', required: true } }
}
`

test('the built-in profiles are there', async t => {
  t.strictSame([...(await loadProfiles()).keys()], ['permit', 'policy', 'lease'])
})

test('a folder adds its own, and other files are left alone', async t => {
  const folder = t.testdir({ 'licence.mjs': definition('licence'), 'notes.md': '# notes', 'types.d.ts': 'export {}' })
  const profiles = await loadProfiles(folder)
  t.strictSame([...profiles.keys()], ['permit', 'policy', 'lease', 'licence'])
  t.match(profiles.get('licence'), { fields: { licence_number: { required: true, filledBy: 'submission' } } })
})

test('TypeScript is loaded as it stands', async t => {
  const folder = t.testdir()
  const typed = definition('badge').replace('const profile =', 'const profile: object =')
  await writeFile(path.join(folder, 'badge.ts'), typed)
  t.ok((await loadProfiles(folder)).has('badge'))
})

test('what is no profile is refused with its file named', async t => {
  const files: Record<string, string> = {
    'a taken name': definition('permit'),
    'no export': 'export const other = 1\n',
    'a broken module': 'export const profile = {\n',
    'no definition': 'export const profile = { name: "x" }\n',
    'an unsound definition': definition('Licence')
  }
  for (const [what, text] of Object.entries(files)) {
    const folder = t.testdir({ 'wrong.mjs': text })
    await t.rejects(loadProfiles(folder), { code: 'PROFILE_INVALID' }, what)
  }
  await t.rejects(loadProfiles(path.join(t.testdirName, 'nowhere')), { code: 'PROFILE_INVALID' }, 'no folder')
})
