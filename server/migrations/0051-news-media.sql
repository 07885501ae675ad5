-- Media of news lie in their row: few and small, they are backed up and served with it. No call has stored any yet.
delete from media where not exists (select from news where media_id = media.id);
alter table media
  drop column storage_key,
  drop column size_bytes,
  drop column sha256,
  add column data bytea not null check (octet_length(data) between 1 and 5242880),
  add constraint media_name check (length(name) between 1 and 255),
  add constraint media_format check (length(format) between 1 and 100);
create index news_media on news (media_id) where media_id is not null;
