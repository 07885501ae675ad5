-- Requests for stretches of time: who asked for what, and how far it is.

create table preloads (
  id           bigint generated always as identity primary key,
  unit_id      bigint not null references units,
  workplace_id bigint not null references workplaces,
  user_id      bigint not null references users,
  -- Ascending.
  camera_ids   bigint[] not null,
  from_time    timestamptz not null,
  to_time      timestamptz not null,
  created_at   timestamptz not null,
  -- Of unit_commands: the stretches that were asked of the unit; several requests may wait for one.
  command_ids  bigint[] not null default '{}',
  cancelled_at timestamptz,
  check (to_time > from_time)
);
create index preloads_unit on preloads (unit_id, created_at desc);

-- The fragments of a request.
create table preload_segments (
  preload_id  bigint not null references preloads,
  segment_id  bigint not null references segments,
  -- The most of its bytes that was here at once; 100: it is here, whole and verified.
  percent     smallint not null default 0 check (percent between 0 and 100),
  -- When it came, failed or was let go; null while it is waited for.
  ended_at    timestamptz,
  -- Somebody else had it fetched: it goes on without this request.
  also_wanted boolean not null default false,
  primary key (preload_id, segment_id)
);
create index preload_segments_segment on preload_segments (segment_id);
create index preload_segments_waiting on preload_segments (preload_id) where ended_at is null;

alter table unit_commands
  drop constraint unit_commands_kind_check,
  add constraint unit_commands_kind_check check (kind in
    ('fetch_segment', 'fetch_range', 'stop_fetch', 'report_camera_states', 'start_live', 'stop_live')),
  -- Of stop_fetch: the commands that are taken back, and the request that was cancelled.
  add column stops bigint[],
  add column preload_id bigint references preloads;
