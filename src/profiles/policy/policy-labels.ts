import type { LabelPhrase } from '../find/layout/labels.ts'

/** Phrases are separated by bars. */
const labels = (key: string, weight: number, phrases: string): LabelPhrase[] =>
  phrases.split('|').map(phrase => ({ phrase: phrase.trim(), key, weight }))

/** Every head with every tail, as carriers put them together: `First Named Insured` + `and Mailing Address`. */
const combined = (key: string, weight: number, heads: string, tails: string): LabelPhrase[] =>
  labels(
    key,
    weight,
    heads
      .split('|')
      .flatMap(head =>
        tails.split('|').flatMap(tail => [
          `${head.trim()} ${tail.trim()}`,
          // `Named Insured/Mailing Address` is written without spaces.
          ...(tail.trim().startsWith('and ') ? [`${head.trim()}/${tail.trim().slice(4)}`] : [])
        ])
      )
      .join('|')
  )

/**
 * Labels of policy documents (declarations, schedules, certificates, applications) and how specific each is.
 * Keys that are no field: `period` announces both dates, `term` a length, and `not` whatever looks like a
 * field and is another thing, so that its words are taken before a shorter phrase can claim them.
 */
export const POLICY_LABELS: readonly LabelPhrase[] = [
  ...labels(
    'policy_number',
    1,
    `Policy Number | Policy No | Policy # | Pol No | Policy Num | Policy Nbr | Your Policy Number |
    Policy Number is | Your Policy Number is | The Policy Number is | Current Policy # | Current Policy Number | Policy/Certificate Number | Policy Number(s)`
  ),
  ...labels(
    'policy_number',
    0.85,
    `Policy Nr | Policy Identification Number | Policy Symbol and Number | Policy Symbol/Number | Policy Prefix and Number | Contract # | New Policy Number | New Policy No | Renewal Policy Number | Renewal Policy No | Company Policy Number | Policy/Renewal Number | Policy No/Renewal No | Certificate/Policy Number | Policy ID | Certificate No | Contract Number | Contract No | Declaration No | Evidence No | Policy/Binder No |
    Policy Binder Number | Policy Reference | For Policy Number | New Business For Policy Number`
  ),
  ...labels('policy_number', 0.6, `Policy`),
  ...labels(
    'named_insured',
    1,
    `Named Insured | Named Insureds | First Named Insured | Named Insured(s) | Name of Insured | Name Insured |
    Named Insured and Mailing Address | Named Insured and Address | Named Insured Name and Address |
    Named Insured & Mailing Address | Insured's Name and Address | Insured's Name | Insured Name |
    Insured Name and Address | Policyholder | Policyholders | Policy Holder | Policyholder(s) |
    Policyholder Name | Item 1 The Insured | Name of Policyholder | Primary Named Insured | Named Insured Is |
    Item 1 Named Insured | Policyholder Information | Named Insured Mailing Address |
    Insured and Mailing Address | The Insured | Insured's Name Address and Phone No for Mailing Refund |
    You, the Insured | You are the Named Insured | Name of Insured and Mailing Address | Name First Named Insured and Mailing Address |
    Name (First Named Insured) and Mailing Address | Insured's Name and Mailing Address | Policyholder's Name |
    Policyowner | Policy Owner`
  ),
  ...combined(
    'named_insured',
    1,
    `Named Insured | Named Insureds | First Named Insured | Primary Named Insured | Insured | Insureds |
    Name of Insured | Name of Named Insured | Insured Name | Insured Names | Insured's Name | Named Insured's Name |
    Policyholder | Policyholders | Policy Holder | Policyholder Name | Policyholder's Name | The Named Insured |
    Parent Organization | Named Organization | Insured Organization | Named Entity | Insured Entity | Insured Company |
    Member | Member Name | Member's Name | Policyowner | Policyowner Name | Subscriber |
    Item 1 Named Insured | Item One Named Insured`,
    `and Address | and Mailing Address | and Postal Address | Name and Address | Name and Mailing Address |
    Name Mailing Address | and Residence | and Residence Premises | and Residence Address | and Location | and Garaging Address | and Principal Place of Business | and Address of Insured | Name and Principal Address`
  ),
  ...labels(
    'named_insured',
    1,
    `Named Organization | Insured Organization | Insured Entity | Insured Firm | Named Entity | Parent Organization | Named Insured Entity | Insured Company |
    Named Insured (First) | Named Insured #1 | Named Insured 1 | First Insured | Insured 1 | Primary Policyholder | Policyholder Name(s) | Policyholder and Mailing Address | Named Insured as Stated | Subscriber Name | Member Name |
    Name of Named Insured | Insured Names | Insured Member | Member Insured | Primary Insured | Name and Address of the Assured | Name of Assured | Name and Address of Assured | The Assured | Named Assured |
    Name and Address of Insured | Name and Address of the Insured | Name and Address of Named Insured | Name of the Insured |
    Name and Mailing Address of Insured | Name and Mailing Address of Named Insured | Principal Insured | Insured Party`
  ),
  ...labels(
    'named_insured',
    0.9,
    `Issued To | Policy Issued To | This Policy is Issued To | This Policy Issued To | Insurance Issued To | Who is Covered | Who's Covered | Who is Insured | Who's Insured | Insured Person | Insured Persons | Person Insured | People Insured | Insured | Insureds | Insured(s) | Assured | Insd | Ins'd | Name Insd | Applicant / First Named Insured | Applicant First Named Insured |
    Your Name | Your Name and Address | The Named Insured is:`
  ),
  ...labels('named_insured', 0.75, `Member`).map(label => ({ ...label, isApart: true })),
  ...labels(
    'named_insured',
    0.75,
    `Applicant | Applicant's Name and Mailing Address | Applicant Name | Applicant's Name |
    Applicant Information Name`
  ),
  ...labels(
    'effective_date',
    1,
    `Effective Date | Policy Effective Date | Policy Effective | Policy Eff Date | Policy Eff | Eff Date |
    Inception Date | Policy Inception | Policy Inception Date | Policy Start Date | Coverage Begins |
    Coverage Effective Date | Your policy effective date is | Term Effective Date | Proposed Eff Date |
    Proposed Effective Date | Renewal Effective | Renewal Effective Date | Effective From | Cover Start Date |
    Start Date of Insurance | Date Effective | Policy Start | Date Policy Begins | Effective Date of Policy | Commencement Date`
  ),
  ...combined(
    'effective_date',
    1,
    `Policy | Coverage | Cover | Insurance | Term | Policy Term | Policy Period | Policy Coverage | Renewal`,
    `Effective Date | Eff Date | Inception Date | Start Date | Starts | Starts On | Starting | Begins | Begins On |
    Begin Date | Beginning | Beginning Date | From Date | Effective From | Commences | Commencement Date |
    Is Effective | Effective On | Start`
  ),
  ...labels('effective_date', 1, `Beginning Date of Policy | Effective Date of Coverage | Effective Date of Insurance`),
  ...labels(
    'effective_date',
    0.8,
    `Effective | Inception | Starts | Begins | Eff | Start Date | Cover Starts | Valid From`
  ),
  ...labels(
    'expiration_date',
    1,
    `Expiration Date | Policy Expiration Date | Policy Expiration | Policy Exp | Policy Exp Date | Exp Date |
    Expiry Date | Policy Expires On | Policy Expires | Coverage Ends | Policy End Date | Expires On |
    Proposed Exp Date | Proposed Expiration Date | Date Policy Ends | Term Expiration Date | Cover End Date |
    Policy Expiry Date | Date Expiration | Date of Expiry`
  ),
  ...combined(
    'expiration_date',
    1,
    `Policy | Coverage | Cover | Insurance | Term | Policy Term | Policy Period | Policy Coverage`,
    `Expiration Date | Exp Date | Expiry Date | Expiration | Expires | Expires On | End Date | Ends | Ends On | Ending |
    Ending Date | To Date | Termination Date | Terminates | End | Stops`
  ),
  ...labels('expiration_date', 1, `Expiration Date of Policy | Expiration Date of Coverage | Ending Date of Policy`),
  ...labels(
    'expiration_date',
    0.8,
    `Expiration | Expires | Ends | Exp | End Date | Valid To | Cover Ends | Expiry | Expiring`
  ),
  ...labels(
    'period',
    1,
    `Policy Period | Coverage Period | Period of Insurance | Policy Term | Coverage Dates | Policy Dates |
    Term of Policy | Policy Period From | Policy Term Is | Item 2 Policy Period | Period of Cover |
    Policy Period Begins | Effective Dates | Coverage Term | The Policy Period is | Policy Period Effective |
    Dates of Cover | Insurance Period | Effective and Expiration Dates | Effective/Expiration | Effective/Expiration Date |
    Effective/Expiration Dates | Policy Effective/Expiration | Effective / Expiration | Effective - Expiration | Eff/Exp Date | Eff / Exp Dates | Effective and Expiration Date`
  ),
  ...combined(
    'period',
    1,
    `Policy | Coverage | Insurance | Certificate | Cover | Current Policy | Renewal Policy | Item 2 Policy | Item Two Policy |
    The Policy | The Coverage | Your Policy | Your Coverage`,
    `Period | Period From | Period Is From | Term Is From | Term | Term From | Dates | Effective Dates | Period Is | Period Runs | Period Is From |
    Effective Period | Effective | Effective From`
  ),
  ...combined(
    'period',
    1,
    `Term | Period | Duration | Dates`,
    `of Insurance | of Coverage | of Policy | of the Policy | of This Policy | of Cover | of Certificate | Insured`
  ),
  ...combined(
    'period',
    1,
    `Dates | Your Policy Dates | Policy Effective and Expiration Dates`,
    `of Your Policy | Covered`
  ),
  ...labels('period', 0.7, `Term | Period | Dates`),
  ...labels(
    'premium_total',
    1,
    `Total Policy Premium | Total Premium | Policy Premium and Fees | Total Annual Premium | Total Premium Due |
    Total Policy Premium and Fees | Total Premium and Fees | Total Premium, Taxes and Fees | Total Cost |
    Total 12 Month Premium | Total 6 Month Premium | Total Six Month Premium | Total Twelve Month Premium |
    Total Estimated Annual Premium | Total Policy Cost | Costs of Insurance | Cost of Insurance | Total Annual Policy Premium |
    Total Premium Including Fees | Total Premium for the Policy Period |
    Total Advance Premium | Total Term Premium | Total Estimated Premium | Premium Total | Policy Total |
    Total Payable | Total Amount Payable | Total Price | Total Policy Price | Grand Total | Estimated Total Premium | Total Annual Cost |
    Total Policy Premium Including Fees | Total Premium Taxes and Fees | Total Premium with Fees |
    Total 12-Month Policy Premium | Total 6-Month Policy Premium | Total 6 Month Policy Premium |
    Total 12 Month Policy Premium | Total Policy Charges | Total Premium Amount | Total Charges |
    Total Annual Premium Including Fees | Total Premium and Policy Fees | Package Total Premium | Total Premium for All Vehicles |
    Total Premium All Vehicles | Total for All Vehicles | Total Premium for This Policy | Total Premium for This Policy Period |
    Your Total Premium for This Policy Period | Total Premium for the Term | Total for 12 Months | Total for 6 Months |
    Total for Six Months | Total for Twelve Months | 12-Month Total | 6-Month Total | Your 12-Month Total |
    Your 6-Month Total | Total for the Policy Term | Total for the Policy Period | Total for This Policy |
    Total Cost of Policy | Premium 12 Months | Premium 6 Months | Premium for 12 Months | Premium for 6 Months | 12 Months Premium | Policy Term Total | Total for This Term | Term Total | Total for the Term | Total 12 Month Premium for All Vehicles | Total 6 Month Premium for All Vehicles |
    Total Six Month Premium for All Vehicles | Total Twelve Month Premium for All Vehicles | Total Cost of Your Policy | Total Policy Amount | Total Amount of Premium | Amount of Premium | Total Contract Premium | Total Premium Charged | Premium Charged | Total Premium for This Term | Total Premium for Term | Total Premium and Taxes | Total Premium Plus Taxes and Fees | Total Premium Plus Fees | Total Premium, Fees and Taxes | Total Premium Fees and Taxes | Total Premium, Fees and Surcharges | Total Premium and Surcharges | Total Premium and Assessments | Total Premium Including Taxes and Fees | Total Premium with Taxes and Fees | Total with Taxes and Fees | Total Including Taxes and Fees | Total Policy Cost Including Fees | Total Cost for the Policy Term | Total Cost for This Policy | Total Premium for Policy Period`
  ),
  ...labels(
    'premium_total',
    0.85,
    `Policy Premium | Annual Premium | Full Term Premium | Total Full Term Premium | Term Premium | Total Policy |
    Premium for the Policy Term | Six Month Premium | Twelve Month Premium | Estimated Annual Premium |
    Total Annual | Annual Policy Premium | Your Total Premium | Total Premium Payable | Costs of Insurance |
    Cost of Insurance | Advance Premium | Full Term Policy Premium | Term Policy Premium | Premium for the Policy Period | Premium for This Policy |
    Premium for Policy Period | Annual Premium and Fees | Premium for This Term | Your Premium for This Term | Gross Premium | Total Gross Premium | Yearly Premium | Your Premium | 6 Month Premium | 12 Month Premium | 6-Month Premium | 12-Month Premium | Six-Month Premium |
    6 Month Premium is | 12 Month Premium is | Estimated Annual Premium is | Your Annual Premium | Your Yearly Premium | Premium Per Year | Ann Premium |
    Your Annual Total | Annual Total | Your Yearly Total | Yearly Total | Your Annual Price | Annual Price | Total Per Year | Price Per Year | Your Price | You Pay | Premium for This Policy Term | Estimated Premium | Estimated Policy Premium | Policy Term Premium | Annual Policy Cost | Policy Cost |
    Premium This Term | This Term's Premium | Your Policy Premium | Your Policy Cost | Net Premium | Total Net Premium | Renewal Premium | Total Renewal Premium | Premium Total for Term | Total Premium (All Coverages) | Total All Coverages | Total Premium All Coverages |
    Revised Premium | New Premium | Amended Premium | Updated Premium | Revised Policy Premium | New Policy Premium | New Annual Premium | Revised Annual Premium | New Total Premium | Revised Total Premium | New Term Premium |
    Total Prem | Tot Prem | Tot Premium | Annual Prem | Policy Prem | Premium for Term | Total Annual | Total Est Premium | Est Total Premium | Total Estimated Policy Premium`
  ),
  ...labels(
    'premium_total',
    0.7,
    `Premium | Total | Deposit Premium | If You Pay in Installments | Total Amount Due | Pay This Amount`
  ),
  ...labels(
    'premium_part',
    0.8,
    `Base Premium | Premium Subtotal | Subtotal Policy Premium | Subtotal Premium | Subtotal | Policy Fee | New Business Policy Fee | Inspection Fee |
    Surplus Lines Tax | Stamping Fee | State Tax | Municipal Tax | Surcharge | State Surcharge | Fees | Taxes |
    Taxes and Fees | Tax | Fee | Insurance Premium Tax | Premium Tax | Policy Fees | Installment Fee`
  ),
  ...labels(
    'carrier_name',
    1,
    `Insurer | The Insurer | Insurance Company | Insurance Carrier | Issuing Company | Underwritten By | Writing Company |
    Coverage Provided By | Carrier | Underwriting Company | Your Policy Provided By | Policy Provided By |
    Issued By | Insurer Name | Insuring Company | Company Name | This Policy is Underwritten By | Insurer(s) |
    Company Providing Coverage | Carrier Name | Name of Insurer | Insurance is Provided By | Your Insurer`
  ),
  ...labels('carrier_name', 0.7, `Company | Insurer A`),
  ...labels(
    'location',
    1,
    `Insured Location | Insured Locations | Insured Premises | Insured Property | Insured Property Location | Insured Property Address |
    Insured Residence | Property Insured | Residence Premises | Location of Residence Premises | Residence Insured |
    Property Address | Property Location | Location of Property | Location of Property Insured | Described Location |
    Location of Premises | Location of Insured Property | Risk Location | Risk Address | Location of Risk | Premises Location |
    Described Premises | Premises Address | Location Address | Building Address | The Residence Premises is Located at`
  ),
  ...labels('naic_code', 1, `NAIC # | NAIC No | NAIC Code | NAIC | NAIC Number`),
  ...labels(
    'mailing_address',
    1,
    `Mailing Address | Your Address | Insured Address | P.O. Address | Insured Mailing Address | Postal Address |
    Insured’s Address | Named Insured's Address | Insured's Mailing Address | Policyholder Address |
    Correspondence Address`
  ),
  ...labels(
    'agency_name',
    1,
    `Agency | Agency Name | Producer | Broker | Agent | Your Agent | Agency and Mailing Address | Agent Name`
  ),
  ...labels(
    'not',
    1,
    `Prior Policy | Prior Policy Number | Previous Policy | Previous Policy No | Previous Policy Number |
    Renewal Of | Replaces | Replaces Policy | Rewrite Of | Expiring Policy | Expiring Policy Number |
    Expiring Pol # | Renewal of Policy Number | Renewal of Policy | Prior Policy No | Replacement of |
    Quote Number | Quote # | Quote No | Quote | Submission No | Account Number | Account No | Account # |
    Customer Number | Customer No | Customer ID | Agency Customer ID | Billing Account | Billing Account Number |
    Client ID | Client Number | Client Code | Loan Number | Loan No | Loan # | Claim Number | Claim No |
    Certificate Number | Revision Number | Form Number | Form No | Agent Code | Agency Code | Agent No |
    Agent Number | Producer Code | Producer No | Producer Number | Agency Number | Sub Code | Subcode | Code |
    Date Issued | Issue Date | Issued | Date Prepared | Print Date | Processed On | Countersigned | Date |
    Information as of | Document Issued | Effective Date of This Transaction | Endorsement Effective |
    Endorsement Effective Date | Change Effective | Change Effective Date | Transaction Effective Date |
    Transaction Effective | Transaction Date | Policy Changes Effective | Purchase Date | Quote Date |
    Retroactive Date | Retro Date | Cancellation Date | Date of Birth | Due Date | Payment Due Date |
    Proposed Retroactive Date | Valuation Date | Date of Loss | Policy Fee Total | Additional Premium |
    Return Premium | Premium Change | Change in Premium | Total Premium Per Vehicle | Premium Per Vehicle |
    Six Month Premium Per Vehicle | Subtotal Premium By Vehicle | Subtotal Premium By Policy | Minimum Premium |
    Minimum Earned Premium | Total Discount | Total Discount Savings | Total Discounts | Total Limit |
    Total Savings | Monthly Premium | Total Monthly Premium | Premium by Vehicle | Premiums by Vehicle |
    Total Amount Submitted | Down Payment | Previous Premium | Prior Premium | Total Vehicle Premium |
    Terrorism Premium | Additional Insured | Additional Named Insured | Additional Named Insureds |
    Additional Interest | Additional Insureds |
    Insured Email | Insured Vehicle | Insured Driver | Insured Vehicles |
    Insured Property Location | Description | GL Code | SIC | NAICS | FEIN or Soc Sec # | Business Phone # | Website Address | Breach of | Other Named Insured |
    Policy Type | Policy Form | Policy Limit | Policy Limits | Policy Aggregate | Policy State | Policy Plan |
    Policy Information | Policy Coverage | Policy Coverages | Policy Level Coverages | Policy Discounts |
    Policy Declarations | Policy Documents | Policy Forms | Policy Forms and Endorsements | Policy Summary |
    Policy Service | For Policy Service Call | Deductible | Limit | Limits | Limit of Liability |
    Limits of Liability | Limit of Insurance | Coverage | Coverages | Discount | Discounts | Discount Savings |
    Email | Email Address | E-mail | Phone | Telephone | Fax | Phone Number | Entity | Entity Type |
    Form of Business | Business Description | GL Code | SIC | NAICS | FEIN or Soc Sec # | Business Phone # | Website Address | Breach of | Other Named Insured | Plan Type | Agent Phone | Company Use | Company Bill |
    Company Policy or Program Name | Program Code | Mortgagee | 1st Mortgagee | Loss Payee | Lienholder |
    Underwriter | Underwriter Office | Contact | Contact Name | Customer Service | Claims | Report a Claim |
    Page | Activity of This Transaction | Interested Party | Vehicles | Additional Drivers | Drivers |
    Direct Bill | Agency Bill | Payment Plan | Audit | Billing Plan | Deposit | Method of Payment |
    Continued Until | Manage Your Account | Your Agency Is | Your Agent Is | Policy Processed | Reason for Issue |
    Insured Is | The Named Insured Is | Occupation | Driver | Applicant’s Occupation | Certificate Holder |
    Total Premium For | Term Premium Change | Effective Date of Change | Effective Date of This Change |
    Effective Date of Endorsement | Effective Date of Amendment | Effective Date of Transaction | Date of Change |
    Amendment Effective Date | Amendment Effective | Amended Effective Date | Original Effective Date |
    Original Inception Date | Original Inception | Date of Original Policy | Original Policy Date | Member Since | Insured Since |
    Customer Since | Renewal Date | Next Renewal Date | Bill Date | Mail Date | Date Mailed | Run Date |
    Policy Issue Date | Date of Issue | Application Date | Date Signed | Processed Date | Processing Date |
    Countersignature Date | Date of Birth | Audit Period | Reporting Period | Premium for Endorsements | Premium Base | Premium Basis |
    State File No | File Number | Reference Number | Confirmation Number | Invoice Number | Submission Number |
    Next Policy Number | Next Term Premium | Estimated Next Term Premium | Master Policy Number | Related Policy Number | Companion Policy Number | Other Policy Number | Member Number |
    Group Number | Renews Policy Number | Converted From | Formerly | Supersedes |
    Insured Residence | Insured Address Location | Premium Due Date | Last Premium | Monthly Installment | Minimum Payment Due | Minimum Due | Amount Financed | Renewal Premium Difference | Expiring Premium |
    Hurricane Premium | Non-Hurricane Premium | Fully Earned Premium | Minimum and Deposit Premium`
  )
]
