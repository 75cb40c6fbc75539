/** Invented people, firms and streets. None of them exists; any likeness is chance. */
export const GIVEN_NAMES = ['Odalys', 'Bram', 'Ilse', 'Tamsin', 'Corvin', 'Maeve', 'Renzo', 'Anneke', 'Joaquín', 'Zoë']
export const FAMILY_NAMES = [
  'Brenner',
  'Oakhollow',
  'Vantongeren',
  'Muñoz',
  'Pellworth',
  'Sørlie',
  'Achterberg',
  'Tidewell'
]

export const CONTRACTORS = [
  'Plumb & Level Builders LLC',
  'Gannet Roofing Co.',
  'Copperfinch Electric, Inc.',
  'Two Rivers Mechanical',
  'Fjordlund Construction Group',
  'Marrow Creek Plumbing LLC'
]

export const STREETS = [
  'Lanternfish Way',
  'Orrery Street',
  'Thistledown Ave',
  'Old Ferry Road',
  'Cooper’s Landing',
  'Nettle Hill Rd',
  'Quayside Blvd',
  'Windlass Court'
]

/** What an office writes as the type, and work it fits. */
export const WORKS: readonly (readonly [type: string, description: string])[] = [
  ['Building', 'New two-story single family residence with attached garage'],
  ['Building', 'Kitchen remodel, remove one bearing wall'],
  ['Building', 'Tenant improvement, suite 200, no change of use'],
  ['Electrical', 'Replace 200 A service panel and add two circuits'],
  ['Electrical', 'Install level 2 vehicle charger in garage'],
  ['Mechanical', 'Replace gas furnace with heat pump, same location'],
  ['Plumbing', 'Repipe house, copper to PEX'],
  ['Roof', 'Tear off and re-roof, composition shingle'],
  ['Demolition', 'Demolish detached garage'],
  ['Fence', 'Six foot cedar fence along rear lot line']
]
