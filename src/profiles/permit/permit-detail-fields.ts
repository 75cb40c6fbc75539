import type { FieldSpec } from '../profile.ts'
import { MAX_NUMBER, MAX_SHORT } from './field-lengths.ts'

/** The registry that tells fees, by the schedule the record was charged by. */
const BY_SCHEDULE = { name: 'fee_schedule', keyField: 'fee_schedule_id' }

/** The dates in the life of a permit. */
export const PERMIT_DATES: Readonly<Record<string, FieldSpec>> = {
  applied_date: {
    type: 'date',
    title: 'Date of application',
    pii: 'P0',
    columns: [
      'application_date',
      'date_applied',
      'filed_date',
      'application_start_date',
      'submitted_date',
      'date_received',
      'opened_date',
      'applied_on',
      'app_date',
      'date_filed',
      'filing_date',
      'date_submitted',
      'submittal_date',
      'received_date',
      'application_received',
      'apply_date'
    ],
    fallbacks: ['permit_creation_date', 'date_opened', 'date_entered'],
    hints: ['applied', 'application', 'filed', 'received', 'submitted', 'opened', 'entered', 'date'],
    labels: ['Date Applied', 'Application Date', 'Date Filed', 'Date Received', 'Submitted']
  },
  issued_date: {
    type: 'date',
    title: 'Date of issue',
    pii: 'P0',
    columns: ['issue_date', 'date_issued', 'issuance_date', 'first_issued_date', 'issued_on', 'issue_dt'],
    fallbacks: ['permit_date'],
    hints: ['issued', 'issue', 'date'],
    labels: ['Issued', 'Issue Date', 'Date Issued']
  },
  completed_date: {
    type: 'date',
    title: 'Date of completion',
    pii: 'P0',
    columns: [
      'complete_date',
      'finaled_date',
      'final_date',
      'completion_date',
      'date_completed',
      'date_finaled',
      'finalize_date'
    ],
    fallbacks: ['closed_date', 'date_closed', 'cofo_date', 'co_issued_date'],
    hints: ['completed', 'finaled', 'finalled', 'finalized', 'final', 'closed'],
    labels: ['Final Date', 'Completed', 'CO Date']
  },
  expires_date: {
    type: 'date',
    title: 'Date of expiry',
    pii: 'P0',
    columns: [
      'expired_date',
      'expiration_date',
      'expiry_date',
      'expires_on',
      'expire_date',
      'renewal_info.expiration_date'
    ],
    hints: ['expires', 'expiration', 'expired', 'expiry'],
    labels: ['Expires', 'Expiration', 'Expiry Date'],
    yearPivot: 'future'
  },
  status_date: { type: 'date', title: 'Date of status', pii: 'P0', columns: ['b1_appl_status_date'] }
}

/** Where the work is done. */
export const PERMIT_PLACE: Readonly<Record<string, FieldSpec>> = {
  site_address: {
    type: 'address',
    title: 'Site address',
    pii: 'P2',
    columns: [
      'original_address_1',
      'address',
      'primary_address',
      'street_address',
      'property_address',
      'project_address',
      'job_address',
      'location_address',
      'addresses.address_line1',
      'jobsite_address',
      'work_address',
      'situs_address',
      'main_address'
    ],
    fallbacks: ['property_location', 'project_location', 'work_location', 'site_location'],
    labels: ['Site Address', 'Job Address', 'Project Address', 'Property Address', 'Location of Work'],
    constraints: { maxLength: 500 }
  },
  site_city: {
    type: 'text',
    title: 'City',
    pii: 'P0',
    columns: ['original_city', 'city'],
    constraints: { maxLength: MAX_SHORT }
  },
  site_state: {
    type: 'text',
    title: 'State',
    pii: 'P0',
    columns: ['original_state', 'state'],
    constraints: { maxLength: MAX_SHORT }
  },
  site_zip: {
    type: 'identifier',
    title: 'ZIP code',
    pii: 'P0',
    columns: ['original_zip', 'zip', 'zip_code', 'zipcode', 'postal_code'],
    constraints: { maxLength: 20 }
  },
  latitude: {
    type: 'decimal',
    title: 'Latitude in degrees',
    pii: 'P0',
    columns: ['lat'],
    constraints: { min: '-90', max: '90' }
  },
  longitude: {
    type: 'decimal',
    title: 'Longitude in degrees',
    pii: 'P0',
    columns: ['lon', 'lng', 'long'],
    constraints: { min: '-180', max: '180' }
  }
}

/** Who is concerned. */
export const PERMIT_PARTIES: Readonly<Record<string, FieldSpec>> = {
  applicant_name: {
    type: 'name',
    title: 'Applicant',
    pii: 'P2',
    columns: ['applicant', 'applicant_full_name', 'applicants_name'],
    labels: ['Applicant', 'Applicant Name', 'Permittee', 'Submitted By'],
    constraints: { maxLength: MAX_SHORT }
  },
  owner_name: {
    type: 'name',
    title: 'Owner',
    pii: 'P2',
    columns: ['owner', 'property_owner', 'property_owner_name', 'owner_full_name', 'owners_name'],
    labels: ['Owner', 'Property Owner', 'Owner of Record'],
    constraints: { maxLength: MAX_SHORT }
  },
  contractor_name: {
    type: 'name',
    title: 'Contractor',
    pii: 'P1',
    columns: ['contractor_company_name', 'contractor', 'general_contractor', 'contractor_company', 'contractors_name'],
    fallbacks: ['contractor_full_name', 'builder', 'builder_name'],
    labels: ['Contractor', 'General Contractor', 'Builder'],
    constraints: { maxLength: MAX_SHORT }
  },
  contractor_license: {
    type: 'identifier',
    title: 'Contractor licence',
    pii: 'P1',
    columns: ['contractor_lic_num', 'contractor_license_num', 'license_number'],
    constraints: { maxLength: MAX_NUMBER }
  }
}

/** What is attached, stated beside, and added by enrichment. */
export const PERMIT_REST: Readonly<Record<string, FieldSpec>> = {
  source_link: {
    type: 'text',
    title: 'Link at the source',
    pii: 'P0',
    columns: ['link', 'url'],
    constraints: { maxLength: 2000 }
  },
  stated_fee: {
    type: 'money',
    title: 'Fee as stated',
    pii: 'P0',
    columns: ['fee', 'total_fee', 'permit_fee', 'fee_total', 'fees', 'total_fees', 'permit_fees', 'fee_amount']
  },
  attachments: {
    type: 'list',
    title: 'Attachments',
    pii: 'P0',
    columns: ['documents'],
    item: {
      filename: { type: 'text', title: 'File name', columns: ['name', 'file_name'] },
      url: { type: 'text', title: 'Address', columns: ['link', 'href'] },
      media_type: { type: 'text', title: 'Media type', columns: ['content_type', 'mime_type', 'type'] },
      size_bytes: { type: 'integer', title: 'Size in bytes', columns: ['size'] },
      sha256: { type: 'text', title: 'SHA-256 digest', columns: ['digest', 'checksum'] }
    }
  },
  zoning_code: {
    type: 'text',
    title: 'Zoning district',
    pii: 'P0',
    filledBy: 'registry',
    registry: { name: 'parcel', keyField: 'parcel_id' }
  },
  fee_cents: { type: 'integer', title: 'Fee in cents', pii: 'P0', filledBy: 'registry', registry: BY_SCHEDULE },
  fee_lines: {
    type: 'list',
    title: 'What the fee is made of',
    pii: 'P0',
    filledBy: 'registry',
    registry: BY_SCHEDULE,
    item: {
      name: { type: 'text', title: 'Line of the schedule', required: true },
      amount: { type: 'decimal', title: 'Amount in dollars', required: true }
    }
  },
  fee_schedule_id: {
    type: 'identifier',
    title: 'Fee schedule',
    pii: 'P0',
    filledBy: 'registry',
    registry: BY_SCHEDULE
  },
  statutory_due_at: {
    type: 'date',
    title: 'Last day to answer by the rules of the jurisdiction',
    pii: 'P0',
    filledBy: 'registry'
  }
}
