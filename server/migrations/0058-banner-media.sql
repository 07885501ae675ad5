-- A banner has an image as news do.
alter table messages add column media_id bigint references media (id);
create index messages_media on messages (media_id) where media_id is not null;
