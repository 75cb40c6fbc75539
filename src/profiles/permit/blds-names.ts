/** The name of each field in the Building and Land Development Specification, for the fields it has. */
export const BLDS_NAMES: Readonly<Record<string, string>> = {
  submission_id: 'PermitNum',
  work_description: 'Description',
  applied_date: 'AppliedDate',
  issued_date: 'IssuedDate',
  completed_date: 'CompletedDate',
  status: 'StatusCurrent',
  site_address: 'OriginalAddress1',
  site_city: 'OriginalCity',
  site_state: 'OriginalState',
  site_zip: 'OriginalZip',
  jurisdiction_fips: 'Jurisdiction',
  permit_class: 'PermitClass',
  status_mapped: 'StatusCurrentMapped',
  work_class: 'WorkClass',
  permit_type_code: 'PermitType',
  permit_type_mapped: 'PermitTypeMapped',
  permit_type_desc: 'PermitTypeDesc',
  status_date: 'StatusDate',
  total_sqft: 'TotalSqFt',
  source_link: 'Link',
  latitude: 'Latitude',
  longitude: 'Longitude',
  project_valuation: 'EstProjectCost',
  housing_units: 'HousingUnits',
  parcel_id: 'PIN',
  contractor_name: 'ContractorCompanyName',
  contractor_license: 'ContractorLicNum',
  proposed_use: 'ProposedUse',
  master_permit_num: 'MasterPermitNum',
  expires_date: 'ExpiresDate',
  stated_fee: 'Fee'
}

/** Where that specification keeps everything it has no name for, as a JSON object. */
export const BLDS_EXTRA = 'ExtraFields'
