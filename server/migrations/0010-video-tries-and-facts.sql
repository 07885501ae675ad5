-- Tries to get a fragment's video, how far an upload is, and what is read from the files.

alter table segments
  -- Tries that failed since the video was asked for, and when the unit is asked again.
  add column failed_tries smallint not null default 0,
  add column retry_at timestamptz,
  -- The state before this one: where a PROCESSING or MERGING that fails returns to.
  add column status_from text;
create index segments_retry on segments (retry_at) where retry_at is not null;

alter table uploads
  add column received_bytes bigint not null default 0,
  -- When the last byte came.
  add column received_at timestamptz not null default now();
update uploads set received_at = created_at;

alter table segment_files
  drop constraint segment_files_variant_check,
  -- preview: one picture of many small ones.
  add constraint segment_files_variant_check check (variant in ('source', 'playable', 'preview')),
  -- Read from the file, whatever was said of it.
  add column format text,
  add column time_base text,
  add column frame_rate real,
  add column audio_codec text,
  -- Of a playable file: wall time and media time, point by point; null where they run alike.
  add column time_map jsonb,
  -- Of a preview: how its small pictures lie.
  add column sprite jsonb;
