import { defineProfile } from '../define-profile.ts'
import type { FieldSpec } from '../profile.ts'
import { POLICY_LABELS } from './policy-labels.ts'
import { POLICY_RULES } from './policy-rules.ts'

const phrases = (key: string): string[] => POLICY_LABELS.filter(label => label.key === key).map(label => label.phrase)

const NOT_LABELS = phrases('not')

const labelled = (key: string): Pick<FieldSpec, 'labels'> => ({ labels: phrases(key) })

/** An insurance policy as declared, applied for or certified. */
export const policy = defineProfile({
  name: 'policy',
  version: 1,
  title: 'Insurance policy',
  fields: {
    policy_number: {
      type: 'identifier',
      title: 'Policy number',
      pii: 'P2',
      required: true,
      columns: ['policy_number', 'policy_no', 'policy_num', 'policy', 'pol_no', 'policy_id', 'policynumber'],
      ...labelled('policy_number'),
      notLabels: NOT_LABELS,
      constraints: { maxLength: 60, pattern: /\d/ }
    },
    named_insured: {
      type: 'name',
      title: 'Named insured',
      pii: 'P2',
      required: true,
      columns: ['named_insured', 'insured', 'insured_name', 'policyholder', 'first_named_insured'],
      ...labelled('named_insured'),
      constraints: { maxLength: 300 }
    },
    effective_date: {
      type: 'date',
      title: 'Effective date',
      pii: 'P0',
      required: true,
      columns: ['effective_date', 'policy_effective_date', 'eff_date', 'inception_date', 'start_date', 'period_from'],
      ...labelled('effective_date')
    },
    expiration_date: {
      type: 'date',
      title: 'Expiration date',
      pii: 'P0',
      required: true,
      columns: ['expiration_date', 'policy_expiration_date', 'exp_date', 'expiry_date', 'end_date', 'period_to'],
      yearPivot: 'future',
      ...labelled('expiration_date')
    },
    premium_total: {
      type: 'money',
      title: 'Total premium',
      pii: 'P4',
      required: true,
      columns: [
        'premium_total',
        'total_premium',
        'premium',
        'annual_premium',
        'policy_premium',
        'total_policy_premium'
      ],
      ...labelled('premium_total'),
      constraints: { nonNegative: true }
    },
    carrier_name: {
      type: 'name',
      title: 'Carrier',
      pii: 'P1',
      columns: ['carrier_name', 'carrier', 'insurer', 'insurance_company', 'company', 'underwriting_company'],
      ...labelled('carrier_name'),
      constraints: { maxLength: 200 }
    },
    naic_code: {
      type: 'identifier',
      title: 'NAIC company code',
      pii: 'P0',
      columns: ['naic_code', 'naic', 'naic_number'],
      ...labelled('naic_code'),
      constraints: { maxLength: 10 }
    },
    line_of_business: {
      type: 'text',
      title: 'Line of business',
      pii: 'P0',
      columns: ['line_of_business', 'lob', 'policy_type', 'program'],
      labels: ['Line of Business'],
      constraints: { maxLength: 120 }
    },
    transaction_type: {
      type: 'text',
      title: 'Transaction',
      pii: 'P0',
      columns: ['transaction_type', 'transaction'],
      constraints: { maxLength: 60 }
    },
    mailing_address: {
      type: 'address',
      title: 'Mailing address',
      pii: 'P2',
      columns: ['mailing_address', 'insured_address', 'address'],
      ...labelled('mailing_address'),
      constraints: { maxLength: 400 }
    },
    agency_name: {
      type: 'name',
      title: 'Agency or producer',
      pii: 'P1',
      columns: ['agency_name', 'agency', 'agent', 'producer', 'broker'],
      ...labelled('agency_name'),
      constraints: { maxLength: 200 }
    },
    coverages: {
      type: 'list',
      title: 'Coverages',
      pii: 'P4',
      columns: ['coverages'],
      item: {
        label: { type: 'text', title: 'Coverage', required: true },
        limit: { type: 'text', title: 'Limit as written' },
        deductible: { type: 'text', title: 'Deductible as written' },
        premium: { type: 'money', title: 'Premium' }
      }
    },
    deductibles: {
      type: 'list',
      title: 'Deductibles',
      pii: 'P4',
      columns: ['deductibles'],
      item: {
        peril: { type: 'text', title: 'Peril', required: true },
        amount: { type: 'money', title: 'Amount' },
        percent: { type: 'decimal', title: 'Percent' }
      }
    },
    endorsements: {
      type: 'list',
      title: 'Forms and endorsements',
      pii: 'P0',
      columns: ['endorsements', 'forms'],
      item: {
        form_number: { type: 'text', title: 'Form number', required: true },
        edition: { type: 'text', title: 'Edition' },
        title: { type: 'text', title: 'Title' }
      }
    },
    insured_locations: {
      type: 'list',
      title: 'Insured locations',
      pii: 'P2',
      columns: ['insured_locations', 'locations']
    },
    vehicles: {
      type: 'list',
      title: 'Vehicles',
      pii: 'P3',
      columns: ['vehicles'],
      item: {
        description: { type: 'text', title: 'Vehicle', required: true },
        vin: { type: 'identifier', title: 'VIN' }
      }
    }
  },
  naturalKey: ['policy_number', 'effective_date'],
  rules: POLICY_RULES,
  gate: { threshold: 0.8 }
})
