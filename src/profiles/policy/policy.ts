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
      columns: ['policy_number', 'policy_no', 'policy_num', 'policy', 'pol_no', 'pol_num', 'policy_nbr', 'policy_id'],
      fallbacks: ['contract_number'],
      hints: ['number', 'no', 'reference', 'account_number'],
      ...labelled('policy_number'),
      notLabels: NOT_LABELS,
      constraints: { maxLength: 60, pattern: /\d/ }
    },
    named_insured: {
      type: 'name',
      title: 'Named insured',
      pii: 'P2',
      required: true,
      columns: [
        'named_insured',
        'insured',
        'insured_name',
        'name_of_insured',
        'policyholder',
        'policyholder_name',
        'first_named_insured',
        'primary_insured'
      ],
      fallbacks: ['client_name', 'customer_name', 'account_name'],
      hints: ['name', 'client', 'customer', 'account'],
      ...labelled('named_insured'),
      constraints: { maxLength: 300 }
    },
    effective_date: {
      type: 'date',
      title: 'Effective date',
      pii: 'P0',
      required: true,
      columns: [
        'effective_date',
        'policy_effective_date',
        'eff_date',
        'eff_dt',
        'effective_dt',
        'policy_eff_date',
        'policy_start_date',
        'policy_from',
        'start_date',
        'term_start',
        'period_from'
      ],
      // The first of all terms: another day than this term's when a policy was renewed.
      fallbacks: ['inception_date', 'policy_inception_date'],
      hints: ['effective', 'eff', 'inception', 'from', 'start'],
      ...labelled('effective_date')
    },
    expiration_date: {
      type: 'date',
      title: 'Expiration date',
      pii: 'P0',
      required: true,
      columns: [
        'expiration_date',
        'policy_expiration_date',
        'exp_date',
        'exp_dt',
        'expiration_dt',
        'expiry_date',
        'policy_exp_date',
        'policy_end_date',
        'policy_to',
        'end_date',
        'term_end',
        'period_to'
      ],
      hints: ['expiration', 'expires', 'expiry', 'exp', 'to', 'end'],
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
        'policy_premium',
        'total_policy_premium',
        'full_term_premium',
        'term_premium',
        'premium_amount'
      ],
      // Of a term that is no year the annual premium is another amount.
      fallbacks: ['annual_premium', 'total_annual_premium', 'written_premium', 'gross_premium'],
      hints: ['amount', 'total'],
      ...labelled('premium_total'),
      constraints: { nonNegative: true }
    },
    carrier_name: {
      type: 'name',
      title: 'Carrier',
      pii: 'P1',
      columns: [
        'carrier_name',
        'carrier',
        'insurer',
        'insurance_company',
        'insurance_carrier',
        'company',
        'underwriting_company',
        'writing_company'
      ],
      ...labelled('carrier_name'),
      constraints: { maxLength: 200 }
    },
    naic_code: {
      type: 'identifier',
      title: 'NAIC company code',
      pii: 'P0',
      columns: ['naic_code', 'naic', 'naic_number', 'naic_no', 'naic_id'],
      ...labelled('naic_code'),
      constraints: { maxLength: 10 }
    },
    line_of_business: {
      type: 'text',
      title: 'Line of business',
      pii: 'P0',
      columns: ['line_of_business', 'lob', 'policy_type', 'program'],
      fallbacks: ['product', 'line'],
      labels: ['Line of Business'],
      constraints: { maxLength: 120 }
    },
    transaction_type: {
      type: 'text',
      title: 'Transaction',
      pii: 'P0',
      columns: ['transaction_type', 'transaction', 'trans_type'],
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
