import t from 'tap'
import { createHttpAdapter } from '../../../src/registries/http/http-adapter.ts'
import { RegistryFault } from '../../../src/registries/registry.ts'
import { Random } from '../../normalize/properties/random.ts'
import { startFaultServer } from './server/fault-server.ts'
import { FAULTS } from './server/faults.ts'
import { arcgisSettings, jsonSettings, socrataSettings } from './server/settings.ts'
import { keyOf, truthOf } from './server/world.ts'

const SETTINGS = { ArcGIS: arcgisSettings, Socrata: socrataSettings, JSON: jsonSettings } as const
const ROWS = ['ArcGIS', 'Socrata', 'JSON'] as const

/** What each fault is to each adapter; one text where it is the same to all. `T`: transient, `C`: configuration. */
const EXPECTED: Readonly<Record<string, string | readonly [string, string, string]>> = {
  slow: 'right',
  hang: 'T timeout',
  drip: 'T timeout',
  reset: 'T connection_reset',
  resetInside: 'T connection_reset',
  cutJson: 'T not_json',
  cutGzip: 'T bad_encoding',
  gzipBomb: 'T too_large',
  oddEncoding: 'T bad_encoding',
  oversize: 'T too_large',
  html: 'T not_json',
  htmlUnavailable: 'T http_503',
  jsonAsHtml: 'T not_json',
  latin1: 'T not_json',
  empty: 'T not_json',
  nothing: ['T no_features', 'T no_rows', 'T no_rows'],
  nullReply: ['T not_json', 'T no_rows', 'T no_rows'],
  oddRows: ['T no_features', 'T no_rows', 'T no_rows'],
  errorInside: ['C arcgis_400', 'T socrata_error', 'T error_body'],
  failedInside: ['T query_failed', 'T socrata_error', 'T error_body'],
  busyInside: ['T arcgis_429 after 1000', 'T socrata_error', 'T error_body'],
  missingInside: ['C arcgis_404', 'T socrata_error', 'T error_body'],
  tokenInside: ['C arcgis_499', 'T socrata_error', 'T error_body'],
  staleTokenInside: ['C arcgis_498', 'T socrata_error', 'T error_body'],
  truncated: ['T truncated', 'T not_json', 'T truncated'],
  wrongKeys: 'T wrong_keys',
  columnGone: ['C field_missing', 'C bad_field', 'C field_missing'],
  idsAsNumbers: 'C type_drift',
  accepted: 'T http_202',
  noContent: 'T http_204',
  unauthorized: 'C http_401',
  forbidden: 'C http_403',
  missing: 'C http_404',
  tooMany: 'T http_429 after 1000',
  internal: 'T http_500',
  badGateway: 'T http_502',
  gatewayTimeout: 'T http_504',
  redirectAway: 'C redirect_refused',
  redirectToLogin: 'C redirect_refused',
  redirectRound: 'C redirect_loop'
}

const KEY = keyOf(11)

for (const [row, name] of ROWS.entries()) {
  t.test(`${name}: each fault is told by its kind and code, and without the key`, async t => {
    t.strictSame(Object.keys(EXPECTED), Object.keys(FAULTS), 'none is left out')
    const server = await startFaultServer({ random: new Random(7) })
    t.teardown(() => server.close())
    for (const [fault, expected] of Object.entries(EXPECTED)) {
      // One that has not worked yet: whether a fault is forgiven depends on that.
      const adapter = createHttpAdapter('parcel', SETTINGS[name](server.origin), {
        secret: undefined,
        connections: 2,
        now: () => Date.now()
      })
      server.force(fault)
      const timeoutMs = fault === 'hang' || fault === 'drip' ? 150 : 10_000
      const asked = adapter.lookUp([KEY], { asOf: '2026-11-30', signal: AbortSignal.timeout(timeoutMs) })
      const told = await asked.then(
        answers => (t.strictSame(answers.get(KEY), truthOf(KEY)), 'right'),
        (error: unknown) => {
          if (!(error instanceof RegistryFault)) throw error
          t.notMatch(`${error.message} ${error.stack ?? ''}`, new RegExp(`${KEY}|${server.origin}`), fault)
          const after = error.retryAfterMs === undefined ? '' : ` after ${error.retryAfterMs}`
          return `${error.kind === 'transient' ? 'T' : 'C'} ${error.code}${after}`
        }
      )
      t.equal(told, typeof expected === 'string' ? expected : expected[row], fault)
    }
    t.equal(server.strayCalls(), 0)
  })
}
