-- SHA-256 of the bytes a chunk of rows lies in, made by the splitter. Bytes that were altered since then are not read as content.
alter table chunk add column digest bytea check (octet_length(digest) = 32);
