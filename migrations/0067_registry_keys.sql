-- Keys of a chunk lie anywhere in a registry: a hash finds each in one page where the primary key goes down a tree that
-- compares the jurisdiction first.
create index registry_parcel_by_id on registry_parcel using hash (parcel_id);
create index registry_zoning_by_id on registry_zoning using hash (parcel_id);
create index registry_property_by_id on registry_property using hash (property_id);
