-- What a unit is told beyond single fragments: a stretch of time of one camera, and live streams.
alter table unit_commands
  drop constraint unit_commands_kind_check,
  add constraint unit_commands_kind_check check (kind in
    ('fetch_segment', 'fetch_range', 'report_camera_states', 'start_live', 'stop_live')),
  add column camera_id bigint references cameras,
  -- By the unit's own clock, as it is told.
  add column sent_start timestamptz,
  add column sent_end timestamptz,
  -- By the server's.
  add column range_start timestamptz,
  add column range_end timestamptz,
  add column live_key uuid;
create index unit_commands_kind on unit_commands (unit_id, kind, id desc) where segment_id is null;

-- Where a live stream comes from was a free text; now it is the camera's own address, made by the server.
alter table cameras drop column liveurl;

-- A camera that is watched now: the unit sends one stream, however many watch.
create table live_streams (
  id           bigint generated always as identity primary key,
  camera_id    bigint not null references cameras,
  unit_id      bigint not null references units,
  -- The place at which the unit puts the pieces.
  key          uuid not null unique default gen_random_uuid(),
  started_at   timestamptz not null,
  -- When the unit was last told to begin.
  asked_at     timestamptz not null,
  -- Somebody watches until then; everybody who watches moves it on.
  wanted_until timestamptz not null,
  -- The last pieces by the unit's word: {"target_s", "first", "pieces": [{"name", "seconds"}]}.
  playlist     jsonb,
  pushed_at    timestamptz,
  ended_at     timestamptz,
  fail_reason  text
);
create unique index live_streams_running on live_streams (camera_id) where ended_at is null;

-- The pieces themselves, a dozen a stream. Not worth a log: after a crash the unit goes on with fresh ones.
create unlogged table live_pieces (
  stream_id bigint not null references live_streams on delete cascade,
  name      text not null,
  bytes     bytea not null,
  put_at    timestamptz not null,
  primary key (stream_id, name)
);
-- Video does not become smaller.
alter table live_pieces alter column bytes set storage external;

-- Counting anew what cameras showed in a stretch of time.
create table recalculations (
  id           bigint generated always as identity primary key,
  workplace_id bigint not null references workplaces,
  user_id      bigint not null references users,
  -- Ascending.
  camera_ids   bigint[] not null,
  from_time    timestamptz not null,
  to_time      timestamptz not null,
  -- The files are fetched from the unit again first.
  reload       boolean not null,
  created_at   timestamptz not null default now(),
  -- Fragments up to this id are taken in.
  after_id     bigint not null default 0,
  -- When all fragments of the stretch were taken in.
  listed_at    timestamptz,
  check (to_time > from_time)
);
create index recalculations_bus on recalculations (workplace_id, id desc);
-- The latest recalculation that a fragment was taken into.
alter table segments add column recalculation_id bigint references recalculations;
create index segments_recalculation on segments (recalculation_id) where recalculation_id is not null;
