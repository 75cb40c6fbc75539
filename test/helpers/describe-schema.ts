import type { Queryable } from '../../src/db/pool.ts'

const QUERIES = [
  `select format('table %s%s%s', c.relname,
     case when c.relrowsecurity then ' row security' else '' end,
     case when c.relforcerowsecurity then ' forced' else '' end) as line
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  `select format('column %s.%s %s %s%s%s%s', c.relname, lpad(a.attnum::text, 3, '0'), a.attname,
     format_type(a.atttypid, a.atttypmod),
     case when l.collname <> 'default' then format(' collate %s', l.collname) else '' end,
     case when a.attnotnull then ' not null' else '' end,
     coalesce(case when a.attgenerated <> '' then ' generated ' else ' default ' end || pg_get_expr(d.adbin, d.adrelid), '')
       || case when a.attidentity <> '' then ' identity' else '' end) as line
   from pg_attribute a
   join pg_class c on c.oid = a.attrelid
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   left join pg_collation l on l.oid = a.attcollation
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  `select format('constraint %s %s %s', coalesce(c.conrelid, 0)::regclass, c.conname, pg_get_constraintdef(c.oid)) as line
   from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype <> 'n'`,
  `select format('index %s', indexdef) as line from pg_indexes where schemaname = 'public'`,
  `select format('view %s %s', viewname, regexp_replace(definition, '\\s+', ' ', 'g')) as line
   from pg_views where schemaname = 'public'`,
  `select format('function %s(%s) returns %s security %s volatility %s body %s', p.proname,
     pg_get_function_identity_arguments(p.oid), pg_get_function_result(p.oid),
     case when p.prosecdef then 'definer' else 'invoker' end, p.provolatile, md5(pg_get_functiondef(p.oid))) as line
   from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  `select format('trigger %s', regexp_replace(pg_get_triggerdef(t.oid), '\\s+', ' ', 'g')) as line
   from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  `select format('policy %s on %s for %s using %s check %s', policyname, tablename, cmd, qual, with_check) as line
   from pg_policies where schemaname = 'public'`,
  `select format('grant %s on %s to %s', privilege_type, table_name, grantee) as line
   from information_schema.role_table_grants
   where table_schema = 'public' and grantee <> current_user and grantor <> grantee`
]

/**
 * The schema as sorted lines of text, one per table, column, constraint, index, view, function, trigger, policy and
 * grant: the same on every machine, so that it can be checked in and compared.
 */
export async function describeSchema(pool: Queryable): Promise<string> {
  const lines: string[] = []
  for (const query of QUERIES) {
    const { rows } = await pool.query<{ line: string }>(query)
    lines.push(...rows.map(row => row.line).toSorted())
  }
  return `${lines.join('\n')}\n`
}
