import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import {
  checkpointText,
  judgeSignatures,
  readCheckpoint,
  readNote,
  readVerifier,
  signNote,
  verifierOf,
  writeVerifier
} from '../../../src/audit/log/signing/signed-note.ts'
import { SEED, seeded } from './seeded.ts'

// The example of the note format's first implementation (golang.org/x/mod/sumdb/note).
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

const pair = () => generateKeyPairSync('ed25519').privateKey

t.test('the published example of a signed note', async t => {
  const key = readVerifier(KEY)
  if (!key) throw new Error('the key is not read')
  t.equal(writeVerifier(key), KEY)
  t.equal(judgeSignatures(NOTE, [key]), 'valid')
  t.equal(judgeSignatures(NOTE.replace('answer', 'Answer'), [key]), 'invalid')
  t.equal(judgeSignatures(NOTE, []), 'unknown')
  t.equal(judgeSignatures(NOTE, [verifierOf('PeterNeumann', pair())]), 'unknown')
  t.equal(readVerifier(KEY.replace('c74f20a3', 'c74f20a4')), undefined)
  t.equal(readVerifier(KEY.replace('PeterN', 'Petern')), undefined)
  for (const text of ['', '+', '++', 'a+b', `${KEY}=`, KEY.slice(0, -1)]) t.equal(readVerifier(text), undefined, text)
})

t.test('a checkpoint is written, read, signed by several keys and judged', async t => {
  const head = { origin: 'docket/53033', size: 12_345, root: Buffer.alloc(32, 7) }
  const text = checkpointText(head)
  t.equal(text, 'docket/53033\n12345\nBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=\n')
  t.same(readCheckpoint(text), head)
  const keys = [pair(), pair()]
  const note = signNote(text, head.origin, keys)
  t.equal(readNote(note)?.text, text)
  for (const key of keys) t.equal(judgeSignatures(note, [verifierOf(head.origin, createPublicKey(key))]), 'valid')
  t.equal(judgeSignatures(note, [verifierOf('docket/06037', keys[0] as (typeof keys)[0])]), 'unknown')
  t.same(readCheckpoint(`${text}an extension\n`), head, 'further lines are allowed')
})

t.test('what is no checkpoint', async t => {
  const root = Buffer.alloc(32).toString('base64')
  for (const text of [
    '',
    'a',
    `a\n1\n${root}`,
    `\n1\n${root}\n`,
    `a\n01\n${root}\n`,
    `a\n-1\n${root}\n`,
    `a\n1e3\n${root}\n`,
    `a\n99999999999999999999\n${root}\n`,
    `a\n1\n${root.slice(0, -4)}\n`,
    `a\n1\n${root.replace('A=', 'B=')}\n`
  ])
    t.equal(readCheckpoint(text), undefined, JSON.stringify(text))
})

t.test('no changed note passes for a signed one', async t => {
  const random = seeded(SEED)
  const key = pair()
  const verifier = verifierOf('docket/53033', key)
  const text = checkpointText({ origin: 'docket/53033', size: 77, root: Buffer.alloc(32, 9) })
  const bytes = Buffer.from(signNote(text, 'docket/53033', [key]))
  let passed = 0
  for (let round = 0; round < 3000; round += 1) {
    const forged = Buffer.from(bytes)
    const at = random(forged.length)
    forged[at] = (forged[at] as number) ^ (1 << random(8))
    const note = forged.toString('utf8')
    if (judgeSignatures(note, [verifier]) === 'valid') passed += 1
  }
  t.equal(passed, 0, `seed ${SEED}`)
})
