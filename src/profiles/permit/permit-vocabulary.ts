import type { EnumMapping } from '../profile.ts'

/** The status vocabulary of the Building and Land Development Specification (BLDS), `StatusCurrentMapped`. */
export const STATUS_OPTIONS = [
  'Application Accepted',
  'Fees/Payment',
  'In Review',
  'Permit Issued',
  'Inspection Phase',
  'Permit Finaled',
  'Permit Finaled with Conditions',
  'Occupancy',
  'Appeal',
  'Permit Cancelled'
] as const

/** BLDS `PermitTypeMapped`. */
export const PERMIT_TYPE_OPTIONS = [
  'Building',
  'Demolition',
  'Electrical',
  'Mechanical',
  'Plumbing',
  'Roof',
  'Fence',
  'Grading',
  'Pool/Spa'
] as const

/** Spellings seen in the feeds of Seattle, San Francisco and Raleigh, and the usual words of permit offices. */
export const STATUS_MAPPING: EnumMapping = {
  field: 'status_mapped',
  values: {
    'Application Accepted': [
      'application accepted',
      'filed',
      'submitted',
      'received',
      'intake',
      'pending',
      'in completeness check'
    ],
    'Fees/Payment': ['fees/payment', 'fees due', 'awaiting payment', 'ready for issuance'],
    'In Review': [
      'in review',
      'reviews in process',
      'plan check',
      'corrections required',
      'awaiting information',
      'additional info requested',
      'reviews completed'
    ],
    'Permit Issued': ['permit issued', 'issued', 'permit entire', 'reissued', 'active'],
    'Inspection Phase': ['inspection phase', 'inspections', 'scheduled'],
    'Permit Finaled': [
      'permit finaled',
      'completed',
      'complete',
      'finaled',
      'final',
      'closed',
      'inspections completed'
    ],
    'Permit Finaled with Conditions': [
      'permit finaled with conditions',
      'tco',
      'temporary co',
      'finaled with conditions'
    ],
    Occupancy: ['occupancy', 'certificate of occupancy', 'co issued', 'signed-off'],
    Appeal: ['appeal', 'under appeal'],
    'Permit Cancelled': [
      'permit cancelled',
      'canceled',
      'cancelled',
      'void',
      'withdrawn',
      'expired',
      'revoked',
      'denied',
      'abandoned'
    ]
  }
}

/** The words that name one of the specification's nine types and no other. */
export const PERMIT_TYPE_MAPPING: EnumMapping = {
  field: 'permit_type_mapped',
  values: {
    Building: ['building', 'building permit', 'bldg'],
    Demolition: ['demolition', 'demolitions', 'demo', 'demolition permit'],
    Electrical: ['electrical', 'electric', 'electrical permit', 'elec'],
    Mechanical: ['mechanical', 'mechanical permit', 'mech', 'hvac'],
    Plumbing: ['plumbing', 'plumbing permit', 'plumb'],
    Roof: ['roof', 'roofing', 'reroof', 're-roof', 'roof permit'],
    Fence: ['fence', 'fence permit', 'fencing'],
    Grading: ['grading', 'grading permit'],
    'Pool/Spa': ['pool/spa', 'pool', 'spa', 'swimming pool', 'pool permit']
  }
}
