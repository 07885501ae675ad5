-- Fragments of video, their files and the counts that people give them.

create table segments (
  id                bigint generated always as identity primary key,
  camera_id         bigint not null references cameras,
  unit_id           bigint not null references units,
  stream_id         bigint not null references unit_streams,
  seq               bigint not null,
  -- As the unit sent them.
  sent_start        timestamptz not null,
  sent_end          timestamptz not null,
  -- Corrected by the offset of the unit's clock.
  start_time        timestamptz not null,
  end_time          timestamptz not null,
  status            text not null check (status in ('ADDING', 'ADDED', 'DOWNLOADING_FROM_TASK', 'LOADING', 'LOADED',
                      'PROCESSING', 'PROCESSED', 'MERGING', 'WAS_MERGED', 'DOWNLOAD_FAIL', 'LIVE')),
  status_at         timestamptz not null default now(),
  fail_reason       text,
  max_objects_count smallint not null default 0,
  info              jsonb not null default '{}',
  reviewed_at       timestamptz,
  reviewed_by       bigint references users,
  created_at        timestamptz not null default now(),
  check (sent_end > sent_start),
  unique (unit_id, stream_id, seq),
  -- One fragment a camera and start, however often it is announced.
  unique (unit_id, camera_id, sent_start)
);
create index segments_camera on segments (camera_id, start_time);
create index segments_fragment on segments (unit_id, camera_id, sent_start);
create index segments_open on segments (status, status_at)
  where status in ('ADDING', 'DOWNLOADING_FROM_TASK', 'LOADING', 'PROCESSING', 'MERGING');

-- Announcements as the unit sent them. Several may speak of one fragment (same unit, camera and start): being
-- recorded, then kept or queued; segments carries the key and the times of the one in force.
create table segment_announcements (
  unit_id           bigint not null,
  stream_id         bigint not null references unit_streams,
  seq               bigint not null,
  segment_id        bigint not null references segments,
  camera_id         bigint not null references cameras,
  sent_time         timestamptz not null,
  time              timestamptz not null,
  sent_start        timestamptz not null,
  sent_end          timestamptz not null,
  start_time        timestamptz not null,
  end_time          timestamptz not null,
  video             text not null check (video in ('adding', 'queued', 'kept')),
  max_objects_count smallint,
  primary key (unit_id, stream_id, seq)
);
create index segment_announcements_segment on segment_announcements (segment_id);

-- source: the bytes that the unit sent; playable: the file that players get.
create table segment_files (
  segment_id  bigint not null references segments,
  variant     text not null check (variant in ('source', 'playable')),
  storage_key text not null,
  size_bytes  bigint not null,
  sha256      bytea not null,
  duration_ms integer,
  codec       text,
  width       integer,
  height      integer,
  created_at  timestamptz not null default now(),
  primary key (segment_id, variant)
);

-- A layer above the raw events: each filled value replaces the automatic one.
create table manual_counts (
  segment_id   bigint primary key references segments,
  entered      smallint check (entered >= 0),
  exited       smallint check (exited >= 0),
  entered_kids smallint check (entered_kids >= 0),
  exited_kids  smallint check (exited_kids >= 0),
  updated_by   bigint not null references users,
  updated_at   timestamptz not null default now()
);

create table uploads (
  id              text primary key,
  unit_id         bigint not null references units,
  segment_id      bigint not null references segments,
  storage_key     text not null,
  length_bytes    bigint not null,
  -- Of the whole file, hex, when the unit said it.
  sha256          text,
  created_at      timestamptz not null default now(),
  finished_at     timestamptz,
  -- One writer at a time over all processes; see server/src/video/upload-lock.ts.
  lock_holder     uuid,
  lock_until      timestamptz,
  lock_wanted     boolean not null default false
);
create index uploads_segment on uploads (segment_id);

create table media (
  id          bigint generated always as identity primary key,
  name        text not null,
  format      text not null,
  storage_key text not null,
  size_bytes  bigint not null,
  sha256      bytea not null,
  created_at  timestamptz not null default now()
);

create table merge_requests (
  id           bigint generated always as identity primary key,
  camera_id    bigint not null references cameras,
  client_id    bigint references clients,
  user_id      bigint not null references users,
  from_time    timestamptz not null,
  to_time      timestamptz not null,
  processed    boolean not null,
  status       text not null default 'PROCESS' check (status in ('PROCESS', 'FAILED', 'COMPLETE', 'SENT')),
  progress     smallint not null default 0 check (progress between 0 and 100),
  fail_reason  text,
  storage_key  text,
  size_bytes   bigint,
  sha256       bytea,
  created_at   timestamptz not null default now(),
  completed_at timestamptz,
  check (to_time > from_time)
);
create index merge_requests_user on merge_requests (user_id, created_at desc);
