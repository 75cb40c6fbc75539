-- The chunks committed last, for the latency of each stage.
create index chunk_committed on chunk (committed_at) where state = 'committed';
