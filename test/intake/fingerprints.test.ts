import { createHash } from 'node:crypto'
import { test } from 'tap'
import { batchDigest, requestFingerprint } from '../../src/intake/fingerprints.ts'
import type { ReceivedFile, RequestOptions } from '../../src/intake/submission.ts'

const OPTIONS: RequestOptions = {
  profile: 'permit',
  jurisdiction: '53033',
  source: null,
  lane: 'standard',
  force: false,
  sheet: null,
  encoding: null,
  dryRun: false
}

const file = (filename: string, text: string): ReceivedFile => ({
  filename,
  declaredType: null,
  spoolName: '',
  size: text.length,
  sha256: createHash('sha256').update(text).digest()
})

test('what makes two requests the same, and what two batches', t => {
  const a = file('a.csv', 'a')
  const b = file('b.csv', 'b')
  const request = (options: Partial<RequestOptions>, files: ReceivedFile[]) =>
    requestFingerprint({ ...OPTIONS, ...options }, files).toString('hex')
  const batch = (options: Partial<RequestOptions>, files: ReceivedFile[]) =>
    batchDigest({ ...OPTIONS, ...options }, files).toString('hex')

  t.equal(request({}, [a, b]), request({}, [b, a]), 'parts in another order are the same request')
  t.not(batch({}, [a, b]), batch({}, [b, a]), 'and another batch: the order decides which row wins')
  t.not(request({}, [a]), request({}, [file('c.csv', 'a')]), 'another name is another request')
  t.equal(batch({}, [a]), batch({}, [file('c.csv', 'a')]), 'and the same content')
  for (const changed of [
    { profile: 'lease' },
    { jurisdiction: '36061' },
    { source: 'x' },
    { sheet: 'June' },
    { encoding: 'windows-1250' } as const
  ]) {
    t.not(request(changed, [a]), request({}, [a]))
    t.not(batch(changed, [a]), batch({}, [a]))
  }
  t.not(request({ lane: 'critical' }, [a]), request({}, [a]))
  t.equal(batch({ lane: 'critical' }, [a]), batch({}, [a]), 'how urgent it is changes no outcome')
  t.end()
})
