-- What an export for a public-records request was about, and what was released: records, root and digest once it has ended.
alter table audit_export add column public jsonb;
