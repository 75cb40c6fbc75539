-- The file of the same batch that a file was taken out of; null for one that was sent by itself.
alter table file add column archive_id uuid;
