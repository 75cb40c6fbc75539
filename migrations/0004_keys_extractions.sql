-- API keys (only hashes of secrets) and cached results of reading documents.
create table api_key (
  id text collate "C" primary key,
  secret_hash bytea not null,
  name text not null,
  scopes text[] not null,
  jurisdictions text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

create table extraction (
  sha256 bytea not null,
  jurisdiction text collate "C" not null,
  extractor text collate "C" not null,
  media_type text not null,
  result_uri text,
  outcome jsonb,
  launches integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (jurisdiction, sha256, extractor, media_type)
);
