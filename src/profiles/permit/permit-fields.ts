import type { FieldSpec } from '../profile.ts'
import { MAX_LONG, MAX_NUMBER, MAX_SHORT } from './field-lengths.ts'
import { readFloorArea } from './floor-area.ts'
import { readJurisdiction } from './jurisdiction.ts'
import { PERMIT_DATES, PERMIT_PARTIES, PERMIT_PLACE, PERMIT_REST } from './permit-detail-fields.ts'
import { PERMIT_TYPE_MAPPING, PERMIT_TYPE_OPTIONS, STATUS_MAPPING, STATUS_OPTIONS } from './permit-vocabulary.ts'

/** Column names: BLDS, then the feeds of Seattle, San Francisco, Chicago, Austin, New York and Los Angeles, then Accela. */
const identity: Record<string, FieldSpec> = {
  submission_id: {
    type: 'identifier',
    title: 'Submission or permit number',
    pii: 'P0',
    required: true,
    columns: [
      'permit_num',
      'permit_number',
      'permit_no',
      'permit_',
      'permit_nbr',
      'permit_id',
      'job_filing_number',
      'custom_id',
      'b1_alt_id'
    ],
    fallbacks: [
      'application_number',
      'application_no',
      'application_num',
      'application_id',
      'app_no',
      'record_number',
      'record_no',
      'record_id',
      'case_number',
      'case_no',
      'work_permit',
      'tracking_number',
      'tracking_id',
      'id'
    ],
    hints: ['number', 'no', 'ref', 'ref_no', 'reference', 'reference_number', 'project_number', 'file_number'],
    labels: ['Permit No.', 'Permit Number', 'Permit #', 'Permit ID', 'Record No.', 'Case No.', 'Application No.'],
    constraints: { maxLength: MAX_NUMBER, numbered: true }
  },
  permit_type_code: {
    type: 'text',
    title: 'Permit type as the office writes it',
    pii: 'P0',
    required: true,
    columns: [
      'permit_type',
      'permit_type_raw',
      'type_code',
      'permit_category',
      'record_type',
      'type_of_permit',
      'type.value'
    ],
    fallbacks: [
      'application_type',
      'permit_type_desc',
      'permit_type_definition',
      'permit_type_mapped',
      'work_type',
      'type_of_work',
      'type',
      'type.type'
    ],
    hints: ['category', 'kind', 'construction_type', 'sub_type', 'permit_sub_type', 'work'],
    labels: ['Permit Type', 'Type of Permit', 'Record Type', 'Application Type'],
    constraints: { maxLength: MAX_SHORT },
    mapped: PERMIT_TYPE_MAPPING
  },
  permit_type_mapped: {
    type: 'enum',
    title: 'Permit type in the BLDS vocabulary',
    pii: 'P0',
    filledBy: 'mapping',
    options: PERMIT_TYPE_OPTIONS
  },
  permit_type_desc: {
    type: 'text',
    title: 'Permit type in words',
    pii: 'P0',
    columns: ['permit_type_definition', 'permit_type_description'],
    constraints: { maxLength: MAX_SHORT }
  },
  parcel_id: {
    type: 'identifier',
    title: 'Parcel number',
    pii: 'P0',
    required: true,
    columns: [
      'pin',
      'apn',
      'parcel_number',
      'parcel_no',
      'parcel',
      'pin1',
      'ain',
      'tcad_id',
      'folio',
      'bbl',
      'tax_parcel',
      'assessor_parcel_number',
      'parcels.parcel_number',
      'parcel_num',
      'parcel_identification_number',
      'assessor_parcel_no',
      'assessors_parcel_number',
      'tax_parcel_number',
      'tax_parcel_no',
      'tax_parcel_id',
      'folio_number',
      'folio_no'
    ],
    fallbacks: ['pin_nbr', 'tax_map_number', 'tax_map_parcel', 'tms', 'tmk', 'map_lot', 'ppn'],
    hints: ['tax_id', 'tax_map', 'pid', 'property_id', 'account_number', 'upc', 'property'],
    labels: [
      'APN',
      "Assessor's Parcel No.",
      'Parcel No.',
      'Parcel #',
      'Parcel ID',
      'PIN',
      'Tax Parcel',
      'BBL',
      'Folio'
    ],
    constraints: { maxLength: MAX_NUMBER, numbered: true }
  },
  parcel_ids: { type: 'list', title: 'All parcels of the permit', pii: 'P0', columns: ['pin_list'] },
  jurisdiction_fips: {
    type: 'identifier',
    title: 'Jurisdiction (FIPS)',
    pii: 'P0',
    required: true,
    columns: ['jurisdiction_id', 'jurisdiction_code', 'fips', 'fips_code', 'geoid', 'county_fips', 'place_fips'],
    fallbacks: ['jurisdiction'],
    labels: ['Jurisdiction'],
    reader: { name: 'jurisdiction', version: 1, read: readJurisdiction },
    constraints: { maxLength: MAX_SHORT }
  },
  project_valuation: {
    type: 'money',
    title: 'Project valuation',
    pii: 'P0',
    required: true,
    columns: [
      'valuation',
      'est_project_cost',
      'estimated_cost',
      'reported_cost',
      'total_job_valuation',
      'estimated_job_costs',
      'job_value',
      'job_cost',
      'project_cost',
      'declared_value',
      'estimated_project_cost',
      'construction_value',
      'constval',
      'job_valuation',
      'construction_valuation',
      'declared_valuation',
      'estimated_valuation',
      'est_cost',
      'value_of_work',
      'work_value',
      'cost_of_work',
      'estimated_cost_of_work',
      'estimated_cost_of_construction',
      'total_project_cost',
      'total_cost_of_work',
      'total_project_valuation'
    ],
    fallbacks: [
      'estimated_total_job_cost',
      'building_valuation',
      'total_valuation',
      'project_value',
      'estimated_value',
      'construction_cost',
      'cost_of_construction',
      'approximate_cost',
      'cost_approximate'
    ],
    hints: ['value', 'cost', 'amount', 'total_value', 'total_cost', 'contract_amount', 'estimate'],
    labels: ['Valuation', 'Value of Work', 'Estimated Cost', 'Project Valuation', 'Job Value', 'Cost of Construction'],
    constraints: { nonNegative: true, max: '1000000000' }
  }
}

const work: Record<string, FieldSpec> = {
  master_permit_num: {
    type: 'identifier',
    title: 'Master permit',
    pii: 'P0',
    columns: ['master_permit', 'parent_permit'],
    constraints: { maxLength: MAX_NUMBER, numbered: true }
  },
  work_description: {
    type: 'text',
    title: 'Description of work',
    pii: 'P0',
    columns: [
      'description',
      'job_description',
      'work_desc',
      'project_description',
      'scope_of_work',
      'description_of_work'
    ],
    labels: ['Description of Work', 'Scope of Work', 'Work Description', 'Project Description'],
    constraints: { maxLength: MAX_LONG }
  },
  status: {
    type: 'text',
    title: 'Status as the office writes it',
    pii: 'P0',
    columns: [
      'status_current',
      'permit_status',
      'status_desc',
      'current_status',
      'record_status',
      'status.text',
      'b1_appl_status'
    ],
    fallbacks: ['application_status', 'status.value'],
    labels: ['Status', 'Permit Status', 'Current Status'],
    constraints: { maxLength: MAX_SHORT },
    mapped: STATUS_MAPPING
  },
  status_mapped: {
    type: 'enum',
    title: 'Status in the BLDS vocabulary',
    pii: 'P0',
    filledBy: 'mapping',
    columns: ['status_current_mapped'],
    options: STATUS_OPTIONS
  },
  permit_class: { type: 'text', title: 'Class', pii: 'P0', columns: ['class'], constraints: { maxLength: MAX_SHORT } },
  work_class: { type: 'text', title: 'Class of work', pii: 'P0', constraints: { maxLength: MAX_SHORT } },
  proposed_use: { type: 'text', title: 'Proposed use', pii: 'P0', constraints: { maxLength: MAX_SHORT } },
  existing_use: { type: 'text', title: 'Existing use', pii: 'P0', constraints: { maxLength: MAX_SHORT } },
  work_begun: {
    type: 'boolean',
    title: 'Whether work began before the permit',
    pii: 'P0',
    columns: ['work_begun_before_permit', 'work_started', 'work_started_before_permit', 'work_commenced']
  },
  total_sqft: {
    type: 'decimal',
    title: 'Floor area in square feet',
    pii: 'P0',
    reader: { name: 'area', version: 1, read: readFloorArea },
    columns: ['total_sq_ft', 'square_footage', 'sqft', 'sq_ft', 'square_feet', 'floor_area'],
    constraints: { nonNegative: true }
  },
  housing_units: {
    type: 'integer',
    title: 'Housing units',
    pii: 'P0',
    columns: ['units', 'dwelling_units', 'number_of_units', 'proposed_units'],
    constraints: { nonNegative: true }
  }
}

/** The fields of a permit application, in the order people see them. */
export const PERMIT_FIELDS: Readonly<Record<string, FieldSpec>> = {
  ...identity,
  ...work,
  ...PERMIT_DATES,
  ...PERMIT_PLACE,
  ...PERMIT_PARTIES,
  ...PERMIT_REST
}
