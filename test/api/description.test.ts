import { test } from 'tap'
import { z } from 'zod'
import { testApi } from '../helpers/app.ts'

const Operation = z.object({
  parameters: z.array(z.object({ in: z.string(), name: z.string(), required: z.boolean().optional() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) }).optional()
})
const Description = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

/** What a client made from the description sends: headers and bodies that no schema checks are part of it. */
test('the description has the headers and bodies that are read by hand', async t => {
  const api = await testApi(t)
  const { paths } = Description.parse(await (await api.fetch('/openapi.json')).json())

  const submit = paths['/v1/batches']?.['post']
  const types = Object.keys(submit?.requestBody?.content ?? {})
  for (const type of ['multipart/form-data', 'text/csv', 'application/json', 'application/zip']) {
    t.ok(types.includes(type), type)
  }
  t.match(submit?.requestBody?.content['multipart/form-data']?.schema, {
    properties: {
      file: { type: 'array', items: { type: 'string', format: 'binary' } },
      profile: { type: 'string' },
      jurisdiction: { type: 'string' },
      sheet: { type: 'string' }
    },
    required: ['file']
  })
  t.match(
    submit?.parameters.filter(one => one.in === 'header').map(one => one.name),
    ['Idempotency-Key']
  )

  const decisions = Object.entries(paths).filter(([path]) => path.startsWith('/v1/quarantine/{id}/'))
  t.equal(decisions.length, 4)
  for (const [path, item] of decisions) {
    t.match(
      item['post']?.parameters.find(one => one.in === 'header'),
      { name: 'If-Match', required: true },
      path
    )
  }
})

test('the description names the refusals that every route makes, and that of erased records', async t => {
  const api = await testApi(t)
  const Answers = z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })))
  const paths = Answers.parse(
    z.object({ paths: z.unknown() }).parse(await (await api.fetch('/openapi.json')).json()).paths
  )
  // What stays when values are erased is told of erased records too.
  const stays = /\/(?:audit|proof|history|erase)$/
  for (const [path, item] of Object.entries(paths).filter(([url]) => url.startsWith('/v1/'))) {
    for (const [method, { responses }] of Object.entries(item)) {
      for (const status of ['400', '401', '403']) t.ok(responses[status], `${method} ${path} ${status}`)
      if (/^\/v1\/(?:records|quarantine)\/\{id\}/.test(path) && !stays.test(path))
        t.ok(responses['410'], `${method} ${path} 410`)
    }
  }
})
