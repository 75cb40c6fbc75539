import { defineProfile } from '../define-profile.ts'
import type { FieldSpec } from '../profile.ts'
import { LEASE_LABELS } from './lease-labels.ts'
import { LEASE_RULES } from './lease-rules.ts'

const phrases = (key: string): string[] => LEASE_LABELS.filter(label => label.key === key).map(label => label.phrase)

const labelled = (key: string): Pick<FieldSpec, 'labels'> => ({ labels: phrases(key) })

/** A lease, or an amendment to one, which is a record of its own. */
export const lease = defineProfile({
  name: 'lease',
  version: 1,
  title: 'Lease',
  fields: {
    property_id: {
      type: 'identifier',
      title: 'Property number',
      pii: 'P0',
      columns: [
        'property_id',
        'property_code',
        'building_id',
        'asset_id',
        'property_number',
        'property_no',
        'building_code'
      ],
      hints: ['property', 'building', 'bldg'],
      ...labelled('property_id'),
      constraints: { maxLength: 60 }
    },
    property_address: {
      type: 'address',
      title: 'Address of the premises',
      pii: 'P0',
      columns: ['property_address', 'premises', 'premises_address', 'building_address', 'address', 'location'],
      ...labelled('property_address'),
      constraints: { maxLength: 400 }
    },
    tenant_name: {
      type: 'name',
      title: 'Tenant',
      pii: 'P2',
      required: true,
      columns: ['tenant_name', 'tenant', 'lessee', 'tenants', 'lessee_name', 'tenant_legal_name'],
      fallbacks: ['occupant', 'occupant_name'],
      hints: ['customer', 'name'],
      ...labelled('tenant_name'),
      notLabels: phrases('not'),
      constraints: { maxLength: 300 }
    },
    landlord_name: {
      type: 'name',
      title: 'Landlord',
      pii: 'P1',
      columns: ['landlord_name', 'landlord', 'lessor', 'owner', 'lessor_name'],
      ...labelled('landlord_name'),
      constraints: { maxLength: 300 }
    },
    lease_start: {
      type: 'date',
      title: 'Commencement date',
      pii: 'P0',
      required: true,
      columns: [
        'lease_start',
        'commencement_date',
        'commencement',
        'lease_commencement',
        'lease_commencement_date',
        'lease_start_date',
        'lease_begin_date',
        'start_date',
        'lease_from',
        'term_start'
      ],
      hints: ['start', 'from', 'begin', 'begins', 'commences'],
      ...labelled('lease_start')
    },
    lease_end: {
      type: 'date',
      title: 'Expiration date',
      pii: 'P0',
      required: true,
      columns: [
        'lease_end',
        'expiration_date',
        'lease_end_date',
        'end_date',
        'lease_to',
        'term_end',
        'termination_date',
        'lease_expiration',
        'lease_expiration_date',
        'lease_expiry',
        'lease_exp',
        'expiry_date'
      ],
      hints: ['expiration', 'expires', 'expiry', 'exp', 'end', 'ends', 'to'],
      yearPivot: 'future',
      ...labelled('lease_end')
    },
    base_rent: {
      type: 'money',
      title: 'Base rent per month',
      pii: 'P4',
      required: true,
      columns: [
        'base_rent',
        'monthly_rent',
        'monthly_base_rent',
        'base_monthly_rent',
        'base_rent_mo',
        'base_rent_per_month',
        'rent_per_month'
      ],
      // Of a month, of a year or of a square foot: the name does not say.
      hints: ['rent', 'contract_rent', 'current_rent'],
      ...labelled('base_rent'),
      constraints: { nonNegative: true }
    },
    cam_charges: {
      type: 'money',
      title: 'Common area charges per month',
      pii: 'P4',
      columns: ['cam_charges', 'cam', 'monthly_cam', 'common_area_maintenance'],
      ...labelled('cam_charges')
    },
    security_deposit: {
      type: 'money',
      title: 'Security deposit',
      pii: 'P4',
      columns: ['security_deposit', 'deposit', 'sec_dep'],
      ...labelled('security_deposit'),
      constraints: { nonNegative: true }
    },
    rent_schedule: {
      type: 'list',
      title: 'Rent schedule',
      pii: 'P4',
      columns: ['rent_schedule'],
      item: {
        from: { type: 'date', title: 'From' },
        to: { type: 'date', title: 'To' },
        monthly: { type: 'money', title: 'Per month' },
        annual: { type: 'money', title: 'Per year' }
      }
    },
    term_months: {
      type: 'integer',
      title: 'Term in months',
      pii: 'P0',
      columns: ['term_months', 'lease_term_months', 'term_in_months'],
      // Of months or of years: the name does not say.
      hints: ['term', 'lease_term']
    },
    rentable_sqft: {
      type: 'integer',
      title: 'Rentable area in square feet',
      pii: 'P0',
      columns: ['rentable_sqft', 'rsf', 'rentable_sf', 'square_feet', 'square_footage', 'sqft', 'rentable_area'],
      ...labelled('rentable_sqft'),
      constraints: { nonNegative: true }
    },
    renewal_options: { type: 'list', title: 'Options to renew', pii: 'P0', columns: ['renewal_options'] },
    guarantor_name: {
      type: 'name',
      title: 'Guarantor',
      pii: 'P2',
      columns: ['guarantor_name', 'guarantor'],
      ...labelled('guarantor_name'),
      constraints: { maxLength: 300 }
    },
    execution_date: {
      type: 'date',
      title: 'Date of the document',
      pii: 'P0',
      columns: ['execution_date', 'lease_date', 'agreement_date'],
      ...labelled('execution_date')
    },
    document_type: {
      type: 'enum',
      title: 'Kind of document',
      pii: 'P0',
      columns: ['document_type'],
      options: [
        'lease',
        'amendment',
        'commencement_letter',
        'assignment',
        'sublease',
        'estoppel',
        'termination',
        'side_letter',
        'exhibit'
      ]
    },
    amendment_number: {
      type: 'integer',
      title: 'Number of the amendment',
      pii: 'P0',
      columns: ['amendment_number', 'amendment']
    }
  },
  naturalKey: [['property_id', 'property_address'], 'tenant_name', 'lease_start', 'document_type', 'amendment_number'],
  requireOneOf: [['property_id', 'property_address']],
  rules: LEASE_RULES,
  gate: { threshold: 0.8 }
})
