-- Results of reading documents: when the last launch began, and which objects of the store belong to a result.
alter table extraction add column launched_at timestamptz;

create index extraction_result on extraction (jurisdiction, result_uri) where result_uri is not null;
