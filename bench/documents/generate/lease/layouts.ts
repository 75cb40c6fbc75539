import { dollars } from '../../../../samples/generate/amounts.ts'
import { americanDay, type Day, longDay } from '../../../../samples/generate/calendar.ts'
import { docxOf } from '../../../../samples/generate/documents/docx.ts'
import { pdfOf } from '../ink.ts'
import {
  clauses,
  deposit,
  FILLER,
  factsTable,
  furnitureOf,
  type LeaseLayout,
  opening,
  premises,
  term,
  where
} from './wording.ts'

const prose: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random), ink => {
      ink.text(220, 50, random.pick(['RESIDENTIAL LEASE AGREEMENT', 'Rental Agreement', 'LEASE']), { bold: true })
      let y = ink.flow(72, 80, opening(facts, random))
      for (const clause of clauses(facts, random)) y = ink.flow(72, y, clause)
    })
}

const furnished: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(
      furnitureOf(random, {
        header: `Lease - ${facts.address[0]}`,
        footer: page => `Page ${page}          Tenant Initials ____   Landlord Initials ____`
      }),
      ink => {
        ink.text(240, 50, 'COMMERCIAL LEASE', { bold: true })
        let y = ink.flow(72, 80, opening(facts, random))
        const own = clauses(facts, random)
        for (const filler of [...FILLER, ...FILLER, ...FILLER]) y = ink.flow(72, y, filler)
        for (const clause of own) y = ink.flow(72, y, clause)
      }
    )
}

const summary: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random), ink => {
      ink.text(54, 50, random.pick(['BASIC LEASE INFORMATION', 'SUMMARY OF BASIC LEASE TERMS', 'Lease Summary']), {
        bold: true
      })
      const isRuled = random.below(2) === 0
      factsTable(facts, random).forEach(([label, value], index) => {
        const y = 90 + index * 26
        if (isRuled) ink.rule(y - 6)
        ink.text(60, y, isRuled ? label : `${label}:`)
        ink.text(240, y, value)
      })
      ink.flow(54, 380, `This Lease incorporates the terms above. ${FILLER[0]}`)
    })
}

const lettered: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Times' }), ink => {
      ink.text(200, 50, 'OFFICE LEASE', { bold: true })
      ink.text(72, 76, 'ARTICLE 1 - BASIC LEASE PROVISIONS', { bold: true })
      let y = 100
      for (const [at, [label, value]] of factsTable(facts, random).entries()) {
        y = ink.flow(72, y, `1.${at + 1} ${label}: ${value}`)
      }
      ink.flow(72, y + 10, `ARTICLE 2. ${premises(facts, random)} ${FILLER[1]}`)
    })
}

const blanks: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { font: 'Helvetica' }), ink => {
      const date = random.pick([longDay, americanDay])
      ink.text(200, 50, 'RESIDENTIAL LEASE', { bold: true })
      const rows = [
        ['Landlord:', facts.landlord],
        ['Tenant:', facts.tenant],
        ['Property Address:', where(facts)],
        ['Lease Start Date:', date(facts.start)],
        ['Lease End Date:', date(facts.end)],
        ['Monthly Rent:', dollars(facts.rent)],
        ['Security Deposit:', dollars(facts.deposit)]
      ] as const
      rows.forEach(([label, value], index) => {
        const y = 100 + index * 28
        ink.text(72, y, `${label} ${'_'.repeat(46)}`)
        ink.field(78 + label.length * 5.6, y - 4, 240, value)
      })
      ink.flow(72, 320, FILLER.join(' '))
    })
}

const columns: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random, { size: 9 }), ink => {
      ink.text(230, 40, 'LEASE AGREEMENT', { bold: true })
      let left = 70
      let right = 70
      left = ink.flow(54, left, opening(facts, random), 240)
      for (const [at, clause] of clauses(facts, random).entries()) {
        if (at < 3) left = ink.flow(54, left, clause, 240)
        else right = ink.flow(318, right, clause, 240)
      }
    })
}

const table: LeaseLayout = {
  isHome: false,
  type: 'docx',
  write: async (facts, random) =>
    docxOf([
      { heading: 'Lease Agreement' },
      { paragraph: opening(facts, random) },
      { table: factsTable(facts, random) },
      ...FILLER.map(paragraph => ({ paragraph }))
    ])
}

const word: LeaseLayout = {
  isHome: true,
  type: 'docx',
  write: async (facts, random) =>
    docxOf([
      { heading: 'RENTAL AGREEMENT' },
      { paragraph: opening(facts, random) },
      ...clauses(facts, random).map(paragraph => ({ paragraph }))
    ])
}

const schedule: LeaseLayout = {
  isHome: false,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random), ink => {
      ink.text(220, 50, 'LEASE AGREEMENT', { bold: true })
      let y = ink.flow(72, 80, opening(facts, random))
      y = ink.flow(72, y, `1. ${premises(facts, random)}`)
      y = ink.flow(72, y, `2. ${term(facts, random)}`)
      y = ink.flow(72, y, '3. Base Rent. Tenant shall pay Base Rent in advance in the following amounts:')
      const heads = ['Lease Year', 'Annual Base Rent', 'Monthly Base Rent']
      heads.forEach((head, at) => ink.text(90 + at * 150, y, head, { bold: true }))
      for (let year = 0; year < 3; year += 1) {
        const monthly = Math.round(facts.rent * (1 + year * 0.03))
        ink.text(90, y + 16 + year * 14, String(year + 1))
        ink.text(240, y + 16 + year * 14, dollars(monthly * 12))
        ink.text(390, y + 16 + year * 14, dollars(monthly))
      }
      y = ink.flow(72, y + 76, `4. ${deposit(facts)}`)
      for (const filler of FILLER) y = ink.flow(72, y, filler)
    })
}

const plain: LeaseLayout = {
  isHome: false,
  type: 'txt',
  write: async (facts, random) => {
    const lines = [opening(facts, random), ...clauses(facts, random)]
    return Buffer.from(`LEASE AGREEMENT\n\n${lines.map(wrapped).join('\n\n')}\n`)
  }
}

function wrapped(text: string): string {
  const lines: string[] = ['']
  for (const one of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + one.length > 78) lines.push(one)
    else lines[lines.length - 1] = last === '' ? one : `${last} ${one}`
  }
  return lines.join('\n')
}

const marked: LeaseLayout = {
  isHome: true,
  type: 'md',
  write: async (facts, random) => {
    const rows = factsTable(facts, random).map(([label, value]) => `**${label}:** ${value}`)
    return Buffer.from(`# Residential Lease\n\n${rows.join('\n\n')}\n\n${FILLER.map(text => `- ${text}`).join('\n')}\n`)
  }
}

const tenancy: LeaseLayout = {
  isHome: true,
  type: 'pdf',
  write: (facts, random) =>
    pdfOf(furnitureOf(random), ink => {
      const date = ({ year, month, day }: Day): string =>
        `${day} ${longDay({ year, month, day }).split(' ')[0]} ${year}`
      ink.text(180, 50, 'TENANCY AGREEMENT', { bold: true })
      const rows = [
        ['Landlord', facts.landlord],
        ['Tenant', facts.tenant],
        ['Property', where(facts)],
        ['Term', `${facts.months} months from ${date(facts.start)} to ${date(facts.end)}`],
        ['Rent', `${dollars(facts.rent)} per calendar month`],
        ['Deposit', dollars(facts.deposit)]
      ] as const
      rows.forEach(([label, value], index) => {
        ink.text(72, 90 + index * 24, label, { bold: true })
        ink.text(180, 90 + index * 24, value)
      })
      ink.flow(72, 250, FILLER.join(' '))
    })
}

/** Layouts of leases by name. */
export const LEASE_LAYOUTS: Readonly<Record<string, LeaseLayout>> = {
  prose,
  furnished,
  summary,
  lettered,
  blanks,
  columns,
  table,
  word,
  schedule,
  plain,
  marked,
  tenancy
}
