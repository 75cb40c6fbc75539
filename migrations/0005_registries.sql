-- Reference data that permits are enriched from. Versioned by effective dates; loaded per jurisdiction.
create table registry_parcel (
  jurisdiction text collate "C" not null,
  parcel_id text collate "C" not null,
  zoning_code text,
  site_address text,
  effective_from date not null default '0001-01-01',
  effective_to date,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, parcel_id, effective_from)
);

create table registry_fee_schedule (
  jurisdiction text collate "C" not null,
  id text collate "C" not null,
  permit_type_code text,
  effective_from date not null,
  effective_to date,
  brackets jsonb not null,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, id)
);
