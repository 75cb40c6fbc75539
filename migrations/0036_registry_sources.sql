-- What registries tell beside zoning, and further kinds of registry kept in tables.
alter table registry_parcel
  add column owner_name text,
  add column retired boolean not null default false,
  -- Other identifiers the office declares to mean the same parcel.
  add column equivalents text[];
create index registry_parcel_equivalents on registry_parcel using gin (equivalents) where equivalents is not null;

create table registry_zoning (
  jurisdiction text collate "C" not null,
  parcel_id text collate "C" not null,
  zoning_code text not null,
  overlays text[],
  effective_from date not null default '0001-01-01',
  effective_to date,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, parcel_id, effective_from)
);

create table registry_property (
  jurisdiction text collate "C" not null,
  property_id text collate "C" not null,
  address text,
  owner_name text,
  effective_from date not null default '0001-01-01',
  effective_to date,
  loaded_at timestamptz not null default now(),
  primary key (jurisdiction, property_id, effective_from)
);

-- Which registry a jurisdiction asks for a kind; the newest version counts, settings null: none any more. Holds names of
-- secrets, never one.
create table registry_source (
  jurisdiction text collate "C" not null,
  kind text collate "C" not null check (kind in ('parcel', 'zoning', 'property', 'feeSchedule')),
  version integer not null check (version >= 1),
  settings jsonb,
  created_at timestamptz not null default now(),
  primary key (jurisdiction, kind, version)
);
