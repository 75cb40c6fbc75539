import t from 'tap'
import type { Grid, Page } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, type Placed, paged, pageOf } from '../find/documents.ts'

type Row = readonly (readonly [x: number, text: string])[]

const HEAD = ['Policy Declarations', ...declaration()].map((text, at) => ({ x: 0.05, y: 0.03 + at * 0.02, text }))

/** Rows of a drawn table, each of as many lines as it has lists of cells. */
function drawn(columns: readonly number[], rows: readonly (readonly Row[])[]): { lines: Placed[]; grid: Grid } {
  const edges = [0.3]
  const lines: Placed[] = []
  for (const row of rows) {
    const top = edges.at(-1) ?? 0
    for (const [at, cells] of row.entries()) {
      for (const [x, text] of cells) lines.push({ x, y: top + 0.003 + at * 0.015, text })
    }
    edges.push(top + 0.005 + row.length * 0.015)
  }
  const cells = rows.flatMap((_, row) =>
    columns.slice(1).map((_edge, column) => ({ row, column, rowSpan: 1, columnSpan: 1 }))
  )
  return { lines, grid: { columns, rows: edges, cells } }
}

const listOf = (name: string, ...pages: Page[]) => findFields(policy, paged(...pages), CONTEXT).fields[name]?.value

const COVERAGES = drawn([0.04, 0.4, 0.65, 0.8, 0.95], [
  [[[0.05, 'Coverage'], [0.42, 'Limit of'], [0.66, 'Deductible'], [0.82, 'Premium']], [[0.42, 'liability']]],
  [[[0.05, 'Personal property at'], [0.42, '$150,000'], [0.66, '$1,000'], [0.82, '$120.00']], [[0.05, 'other residences']]],
  [[[0.05, 'Your property is insured']], [[0.05, 'at replacement cost.']]],
  [[[0.05, 'Notes of the agent']]],
  [[[0.05, 'Please read them']]],
  [[[0.05, 'Identity recovery'], [0.42, '$15,000'], [0.82, '$12.00']]],
  [[[0.05, 'Deductible'], [0.66, 'Deductible amount']]],
  [[[0.05, 'Windstorm'], [0.42, '$5,000']]]
]) // biome-ignore format: a table

t.test('a coverage named in broken lines of a drawn cell is read whole; the table ends at other headings', t => {
  t.same(listOf('coverages', pageOf([...HEAD, ...COVERAGES.lines], 1, { grids: [COVERAGES.grid] })), [
    { label: 'Personal property at other residences', limit: '$150,000', deductible: '$1,000', premium: '120.00' },
    { label: 'Identity recovery', limit: '$15,000', premium: '12.00' }
  ])
  t.same(
    listOf('coverages', pageOf([...HEAD, ...COVERAGES.lines])),
    [{ label: 'Personal property at', limit: '$150,000', deductible: '$1,000', premium: '120.00' }],
    'without the lines only what stands on the first line is known'
  )
  t.end()
})

const PLACES = drawn([0.04, 0.1, 0.5, 0.95], [
  [[[0.05, 'Loc'], [0.15, 'Address'], [0.55, 'Occupancy']]],
  [[[0.05, '1'], [0.15, '1420 Harbor View Road'], [0.55, 'Offices']], [[0.15, 'Tacoma, WA 98402']]],
  [[[0.05, '2'], [0.15, '77 Union Street'], [0.55, 'Storage of']], [[0.15, 'Seattle, WA 98101'], [0.55, 'goods']]]
]) // biome-ignore format: a table

t.test('addresses in broken lines of a schedule are read whole', t => {
  t.same(listOf('insured_locations', pageOf([...HEAD, ...PLACES.lines], 1, { grids: [PLACES.grid] })), [
    '1420 Harbor View Road, Tacoma, WA 98402',
    '77 Union Street, Seattle, WA 98101'
  ])
  t.end()
})

t.test('boxes of a form that reach over one another are read by their lines', t => {
  const { lines, grid } = COVERAGES
  const form = { ...grid, cells: grid.cells.map(cell => ({ ...cell, columnSpan: cell.column === 0 ? 4 : 1 })) }
  const isSpanning = { ...form, cells: form.cells.filter(cell => cell.column === 0) }
  t.same(
    listOf('coverages', pageOf([...HEAD, ...lines], 1, { grids: [isSpanning] })),
    listOf('coverages', pageOf([...HEAD, ...lines]))
  )
  t.end()
})

t.test('a title over the headings is none of them; columns with other headings keep their values', t => {
  const rows: readonly Row[] = [
    [[0.05, 'PREMISES 1 BUILDING 1'], [0.3, 'Joisted masonry'], [0.45, 'Offices at 653 Harbor View Road, Cypress Key']],
    [[0.05, 'Coverage'], [0.3, 'Limit'], [0.45, 'Covered Causes'], [0.65, 'Coinsurance'], [0.8, 'Premium']],
    [[0.05, 'Building'], [0.3, '$ 1,250,000'], [0.45, 'Special'], [0.65, '90%'], [0.8, '$ 1,373.22']],
    [[0.05, 'Personal Property'], [0.3, '$ 75,000'], [0.45, 'Special'], [0.65, '80%'], [0.8, '$ 217.97']]
  ] // biome-ignore format: a table
  const lines = rows.flatMap((row, at) => row.map(([x, text]) => ({ x, y: 0.3 + at * 0.015, text })))
  t.same(listOf('coverages', pageOf([...HEAD, ...lines])), [
    { label: 'Building', limit: '$ 1,250,000', premium: '1373.22' },
    { label: 'Personal Property', limit: '$ 75,000', premium: '217.97' }
  ])
  t.end()
})

t.test('under a heading of limits and deductibles each value is what it says', t => {
  const rows: readonly Row[] = [
    [[0.05, 'Coverages*'], [0.45, 'Limits and/or Deductibles'], [0.8, 'Vehicle 1']],
    [[0.05, 'Property Damage Liability'], [0.45, '$100,000'], [0.8, '$157.61']],
    [[0.05, 'Collision'], [0.45, '$500 Ded/Waiver'], [0.8, '$428.74']]
  ] // biome-ignore format: a table
  const lines = rows.flatMap((row, at) => row.map(([x, text]) => ({ x, y: 0.3 + at * 0.015, text })))
  t.same(listOf('coverages', pageOf([...HEAD, ...lines])), [
    { label: 'Property Damage Liability', limit: '$100,000', premium: '157.61' },
    { label: 'Collision', deductible: '$500 Ded/Waiver', premium: '428.74' }
  ])
  t.end()
})
