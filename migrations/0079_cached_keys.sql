-- An erasure finds what is kept of a record's parcel or property however its number was written when it was asked for.
create function key_signs(key text) returns text language sql immutable parallel safe as $$
  select upper(regexp_replace(key collate "C", '[^[:alnum:]]', '', 'g'))
$$;
create index registry_cache_signs on registry_cache (jurisdiction, key_signs(key));
