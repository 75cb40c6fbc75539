// Compares the reports of the conformance runs with the floors that once were reached: no figure may fall below.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [floorPath, folder] = process.argv.slice(2)
const floors = JSON.parse(readFileSync(floorPath, 'utf8'))
const report = name => {
  const path = join(folder, `${name}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
const passedOf = name => report(name)?.cases.filter(result => result.problems.length === 0).length ?? 0
const score = report('truth')?.score

const figures = {
  cases_passed: passedOf('cases'),
  survived: passedOf('survive'),
  documents_scored: score?.documents ?? 0,
  fields_right: score?.recall ?? 0,
  precision: score?.precision ?? 0,
  straight_through: score?.straight_through ?? 0,
  located: score?.located_share ?? 0,
  accepted_wrong: score?.accepted_wrong_share ?? 1,
  accepted_incomplete: score?.accepted_incomplete ?? Number.POSITIVE_INFINITY
}

let failed = 0
for (const [name, { at_least: least, at_most: most }] of Object.entries(floors)) {
  const figure = figures[name]
  const holds = figure !== undefined && (least === undefined || figure >= least) && (most === undefined || figure <= most)
  if (!holds) failed += 1
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}: ${figure} (${least === undefined ? `at most ${most}` : `at least ${least}`})`)
}
const count = Object.keys(floors).length
console.log(`conformance: ${count - failed} of ${count} figures hold`)
process.exit(failed === 0 && count > 0 ? 0 : 1)
