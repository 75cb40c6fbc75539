-- Whether a batch has anything left to do is asked after every commit: it must not cost a look at each chunk that is done.
create index chunk_pending_of_batch on chunk (jurisdiction, batch_id) where state = 'pending';
