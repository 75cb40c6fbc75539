import type { LabelPhrase } from '../find/layout/labels.ts'

/** Phrases are separated by bars. */
const labels = (key: string, weight: number, phrases: string): LabelPhrase[] =>
  phrases.split('|').map(phrase => ({ phrase: phrase.trim(), key, weight }))

/** A phrase that sentences begin with as well: a label only with a colon or alone in its place. */
const apart = (label: LabelPhrase): LabelPhrase => ({ ...label, isApart: true })

/**
 * Labels of leases and how specific each is. Keys that are no field: `period` announces both dates, `term` a
 * length, `annual_rent` a rent per year, and `not` what looks like a field and is another thing.
 */
export const LEASE_LABELS: readonly LabelPhrase[] = [
  ...labels(
    'tenant_name',
    1,
    `Tenant | Tenant(s) | Tenants | Lessee | Lessee(s) | Tenant Name | Tenant / Lessee | Lessee / Tenant |
    Tenant's Name | Name of Tenant | Subtenant | Sublessee | Tenant Legal Name | Lessee's Name | Renter |
    Resident | Resident(s) | Residents | Renter(s) | Renters | Lessees | Occupant | Lessee Name | Name of Lessee |
    Name of Tenant(s) | Name of Renter | Tenant Entity | Tenant's Legal Name | Legal Name of Tenant |
    Lodger | Occupant/Tenant | Tenant/Occupant | Tenant/Lessee | Tenant / Company | Lessee/Tenant | Tenant / Occupant | Occupant / Tenant | Name and Address of Tenant | Name and Address of Lessee | Tenant Name and Address | Tenant's Name and Address |
    Lessee's Name and Address`
  ),
  ...labels('tenant_name', 1, `The Tenant | The Lessee | The Subtenant`).map(apart),
  ...labels('landlord_name', 1, `The Landlord | The Lessor | The Sublandlord`).map(apart),
  ...labels(
    'property_address',
    1,
    `The Leased Premises | The Demised Premises | The Rented Premises | The Leased Property | Unit Leased | Unit Rented | Apartment Leased`
  ).map(apart),
  ...labels(
    'landlord_name',
    1,
    `Landlord | Landlord(s) | Landlords | Lessor | Lessor(s) | Landlord Name | Landlord / Lessor |
    Lessor / Landlord | Landlord's Name | Name of Landlord | Sublandlord | Owner / Landlord | Landlord / Owner | Owner/Landlord | Landlord/Owner | Landlord/Lessor | Lessor/Landlord | Owner / Lessor | Lessor / Owner | Landlord / Operator |
    Lessor Name | Lessor's Name | Name of Lessor | Name of Owner | Owner Name | Owner's Name | Owner of Property |
    Owner of the Property | Property Owner | Name of Landlord(s) | Landlord Entity | Landlord's Legal Name |
    Legal Name of Landlord | Name and Address of Landlord | Name and Address of Lessor | Landlord Name and Address |
    Landlord's Name and Address | Lessor's Name and Address`
  ),
  ...labels('landlord_name', 0.7, `Owner | Owner or Agent | Landlord or Agent`),
  ...labels(
    'property_address',
    1,
    `Premises | Leased Premises | Demised Premises | Property | Property Address | Premises Address |
    Address of Premises | Rental Property | Rental Unit | The Premises | Address of Property | Leased Property |
    Location of Premises | Property Location | Premises Location | Rental Property Address | Rented Premises |
    Premises (and terrace, if any) | Street Address | The Property | Premises Street Address |
    Leased Premises Address | Unit Address | Demised Property | Subleased Premises | Demised Premises Address | Address of Demised Premises | Subleased Premises Address | Address of Rental Unit | Address of Rental | Rental Address |
    Address of Leased Premises | Address of Rental Property | Premises Leased | Location of Leased Premises | Property Leased |
    Residence | Residence Address | Address of the Premises | Address of the Leased Premises | Address of the Property | Land and Building | Land and Buildings | Demised Land | Leased Land | Dwelling Unit | Dwelling Address | Apartment Premises | Leased Property Address`
  ),
  ...labels(
    'property_address',
    0.7,
    `Location | Space | Building | Building Address | Shopping Center | Center | Project | Property Name | Complex | Mall | Facility | Center Address |
    Shopping Center Address | Project Address`
  ),
  ...labels(
    'property_address',
    0.85,
    `Homesite | Homesite Address | Slip Location | Site Address | Apartment Address | Rental Space | House Address | Home Address of Premises | Store Address | Office Address of Premises`
  ),
  ...labels(
    'property_address',
    0.85,
    `Unit | Room | Store | Warehouse | Shop | Apartment | Dwelling | House | Home`
  ).map(apart),
  ...labels('property_id', 1, `Property ID | Property Code | Building ID | Asset ID | Property Number | Bldg No`),
  ...labels(
    'lease_start',
    1,
    `Commencement Date | Lease Commencement Date | Term Commencement | Term Commencement Date | Lease Start |
    Lease Start Date | Start Date | Lease Term Commencement | Term Begins | Beginning Date |
    Date of Commencement | Lease Begins | Term Start Date | Lease Term Begins | Term Start | Move-in Date |
    Lease Beginning Date | Lease Commencement | Commencement | Begin Date | Lease Begin Date | Term Beginning |
    Term Commences | Term Begin Date | Lease Commences | Starting Date | Lease Starts | Date Lease Begins |
    First Day of Lease | First Day of Lease Term | Start of Lease | Beginning of Lease | Start of Term | First Day of Term | Tenancy Start Date | Move In | Move In Date | Tenancy Starts | Tenancy Begins | Occupancy Date | Lease Effective Date | Commencing Date | Lease Commencing Date |
    First Day | Term Commenced | Lease Commenced | Lease Period Begins | Commencement of Term | Commencement of Lease | Term Starts | Date of Commencement of Term`
  ),
  ...labels(
    'lease_end',
    1,
    `Expiration Date | Lease Expiration Date | Termination Date | Term Ends | Expiry Date | End Date | Lease End |
    Lease End Date | Lease Term Expiration | Term Expiration | Term Expiration Date | Ending Date |
    Date of Expiration | Lease Ends | Lease Term Ends | Lease Expiration | Term End Date |
    Lease Termination Date | Expiration | Lease Expires | Term Ending | Term Expires | Lease Expiry |
    Last Day of Lease | Last Day of Lease Term | End of Lease | End of Term | Last Day of Term | Last Day | Lease Expiry Date | Move Out | Move Out Date | Move-Out Date | Date Lease Ends | Tenancy End Date | Tenancy Ends | Lease Ending Date | Terminating Date | Lease Terminating Date | Expiration of Term |
    Expiration of Lease | Termination of Term | Term Termination Date | Date of Expiration of Term`
  ),
  ...labels(
    'period',
    1,
    `Lease Term | Term | Term of Lease | Initial Term | Lease Period | Rental Period | Initial Lease Term |
    The Term | Fixed Term | Lease Dates | Term of Tenancy | Term of the Lease | Primary Term | Original Term | Base Term |
    Tenancy Period | Term of Agreement | Term of Rental | Rental Term | Lease Term Dates | Demised Term | Period of Lease | Lease Period Dates | Term of This Lease`
  ),
  ...labels(
    'base_rent',
    1,
    `Monthly Rent | Base Rent | Monthly Base Rent | Base Monthly Rent | Minimum Rent | Basic Rent | Fixed Rent |
    Initial Base Rent | Legal Monthly Rent | Monthly Installment | Monthly Rental | Rent Per Month |
    Monthly Fixed Rent | Minimum Monthly Rent | Initial Monthly Rent | Monthly Basic Rent | Rent (Monthly) |
    Guaranteed Minimum Rent | Monthly Minimum Rent | Contract Rent | Monthly Rent Amount |
    Initial Monthly Base Rent | Net Rent | Total Monthly Rent | Rent Per Month | Monthly Lease Payment | Monthly Lease Rate | Monthly Rent Payment |
    Rent Amount Per Month | Monthly Installments | Monthly Rent Installment | Monthly Payment | Monthly Base Rental | Base Rental | Basic Monthly Rent | Basic Rental |
    Base Rent Per Month | Rent Each Month | Rent Every Month | Month's Rent | Starting Monthly Rent | Monthly Net Rent | Fixed Monthly Rent | Fixed Minimum Rent | Rent Monthly |
    Monthly Fixed Rent Rate | Monthly Rent Rate | Monthly Rental Rate | Monthly Contract Rent | Base Rent (Monthly) | Base Rent Monthly |
    Monthly Rental Amount | Monthly Rental Payment | Monthly Ground Rent | Base Rent Rate Per Month`
  ),
  ...labels(
    'base_rent',
    0.8,
    `Rent | Rental | Rent Amount | Base Rent Schedule | Rent Schedule | Schedule of Base Rent | Schedule of Rent | Base Rent Payable`
  ),
  ...labels(
    'annual_rent',
    1,
    `Annual Rent | Annual Base Rent | Base Annual Rent | Annual Fixed Rent | Minimum Annual Rent | Yearly Rent |
    Annual Basic Rent | Annual Minimum Rent | Rent Per Year | Annual Rental |
    Annual Fixed Rent Rate | Annual Rent Rate | Annual Rental Rate | Base Rent (Annual) | Base Rent Annual | Annual Ground Rent |
    Minimum Annual Rental | Annual Base Rental | Base Annual Rental | Yearly Base Rent`
  ),
  ...labels(
    'security_deposit',
    1,
    `Security Deposit | Deposit | Deposit Amount | Amount of Deposit | Deposit Paid | Deposit Held | Security Deposit Held | Security Deposit Paid | Deposit (Security) | Security Deposit Amount | Rental Deposit | Damage Deposit | Refundable Deposit | Refundable Security Deposit | Security/Damage Deposit | Security`
  ),
  ...labels(
    'cam_charges',
    1,
    `CAM | CAM Charges | Common Area Maintenance | Estimated CAM | Est CAM | CAM Charge | Monthly CAM |
    Estimated CAM Charges | Estimated Operating Expenses | NNN Charges | Triple Net Charges`
  ),
  ...labels(
    'rentable_sqft',
    1,
    `Net Rentable Area | Rentable Area | Rentable Square Feet | Net Rentable Area (NRA) | Rentable Square Footage |
    RSF | Premises Area | Leased Area | Area of Premises | Square Footage | Premises Square Footage |
    Leasable Area | Gross Leasable Area | Floor Area`
  ),
  ...labels('term', 1, `Term Months | Lease Term (Months) | Term in Months | Length of Term`),
  ...labels('period', 0.7, `Period`),
  ...labels('lease_start', 0.9, `Start | Begin | Begins | Starts | Commences | From | Beginning | Commencing`).map(
    label => ({
      ...label,
      isApart: true
    })
  ),
  ...labels('lease_end', 0.9, `End | Ends | To | Until | Ending | Expires | Expiring | Termination`).map(apart),
  ...labels(
    'party_name',
    1,
    `Name | Full Name | Legal Name | Full Legal Name | Print Name | Printed Name | Company Name | Name(s)`
  ),
  // The term an amendment makes; in a lease itself, what may be chosen later.
  ...labels(
    'extension_start',
    1,
    `Extension Term Begins | Extension Term Starts | Extension Term Start | Extension Term Start Date | Extension Term Commencement |
    Extension Term Commencement Date | Extension Commencement Date | Extension Date | Extension Start Date | Extension Effective Date |
    Extended Term Begins | Extended Term Starts | Extended Term Commencement | Extended Term Commencement Date | Extended Term Start Date |
    Renewal Term Begins | Renewal Term Starts | Renewal Term Commencement | Renewal Term Commencement Date | Renewal Term Start Date |
    Renewal Commencement Date | Renewal Start Date | Renewal Begins`
  ),
  ...labels(
    'extension_end',
    1,
    `Extension Term Ends | Extension Term Expires | Extension Term End | Extension Term Expiration | Extension Term Expiration Date |
    Extension Expiration Date | Extension End Date | Extended Term Ends | Extended Term Expires | Extended Term Expiration |
    Extended Term Expiration Date | Extended Expiration Date | Extended Termination Date | Renewal Term Ends | Renewal Term Expires |
    Renewal Term Expiration | Renewal Term Expiration Date | Renewal Term End Date | Renewal Expiration Date | Renewal Ends |
    New Expiration Date | New Termination Date | New Lease Expiration Date | Revised Expiration Date`
  ),
  ...labels(
    'extension_term',
    1,
    `Extension Term | Extended Term | Renewal Term | Extension Period | Renewal Period | New Term | Extended Lease Term`
  ),
  ...labels('guarantor_name', 1, `Guarantor | Guarantor(s) | Guarantors | Guarantor Name`),
  ...labels(
    'execution_date',
    1,
    `Lease Date | Date of Lease | Execution Date | Effective Date | Agreement Date | Date of Agreement | Dated`
  ),
  ...labels(
    'not',
    1,
    `Rent Commencement Date | Rent Commencement | Rent Start Date | Possession Date | Delivery Date |
    Outside Date | Turnover Date | Target Commencement Date | Estimated Commencement Date |
    Anticipated Commencement Date | Scheduled Commencement Date | Additional Rent | Percentage Rent |
    Prepaid Rent | Last Month's Rent | First Month's Rent | Prorated Rent | Late Fee | Late Charge | Pet Deposit | Rent Deposit | Last Month's Rent Deposit |
    Key Deposit | Pet Fee | Holding Deposit | Cleaning Deposit | Total Move-in Cost | Move-in Total |
    Cleaning Fee | Parking Fee | Tenant's Address | Tenant Address | Landlord Address | Landlord's Address |
    Tenant Phone | Landlord Phone | Tenant Email | Landlord Email | Address of Landlord | Address of Tenant |
    Tenant's E-mail Address | Landlord's E-mail Address | Landlord's Telephone Number |
    Tenant's Telephone Number | Tenant Initials | Landlord Initials | Tenant Initial | Landlord Initial |
    Tenant's Share | Tenant's Proportionate Share | Tenant Signature | Landlord Signature | Tenant's Signature |
    Landlord's Signature | Tenant Notice Address | Landlord Notice Address | Tenant's Pro Rata Share |
    Tenant Improvements | Tenant Improvement Allowance | Building Name | Mailing Address | Office Location |
    Rent Payment | Rent Payments | Rent Increases | Rent Due Date | Option Term | Renewal Rent | Rent Roll | Broker | Agent | Lease Structure Type | Lease Type |
    Permitted Use | Use | Date | Phone | Email | Title | By | Its | Annual Rate per SF | Lease Parameter |
    Agreement Details | Property Manager | Property Insurance | Property Taxes | Property Damage | Property Tax |
    Tenant Default | Landlord Default | Tenant's Work | Landlord's Work | Deposit Due | Total Rent |
    Property Type | Premises Type | Parking Space | Space Number | Base Rent Abatement | Market Rent |
    Trade Name | Tenant's Trade Name | Store Name | Business Name | Tenant's Business | Building Rules | Building Services | Building Hours | Security Deposit Bank`
  )
]
