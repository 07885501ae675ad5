-- What units send. Time series are partitioned by month of the time as sent and keyed with the unit first;
-- partitions are made on demand by the writer.

-- Which sequence numbers of a stream are stored: the one truth of 'exactly once'.
create table unit_streams (
  id         bigint generated always as identity primary key,
  unit_id    bigint not null references units,
  stream     uuid not null,
  received   int8multirange not null default '{}',
  created_at timestamptz not null default now(),
  unique (unit_id, stream)
);

-- One row = one unit x 5 minutes; only server/src/positions knows the packed form.
create table position_blocks (
  unit_id     bigint not null,
  block_start timestamptz not null,
  point_count integer not null,
  -- Earliest and latest corrected time in it.
  first_time  timestamptz not null,
  last_time   timestamptz not null,
  points      bytea not null,
  primary key (unit_id, block_start)
) partition by range (block_start);
create index position_blocks_time on position_blocks (unit_id, last_time);

create table passenger_events (
  unit_id      bigint not null,
  stream_id    bigint not null,
  seq          bigint not null,
  -- As the unit sent it, and corrected by the offset of its clock.
  sent_time    timestamptz not null,
  time         timestamptz not null,
  workplace_id bigint,
  door         smallint not null,
  direction    text not null check (direction in ('entered', 'exited')),
  passenger    text not null check (passenger in ('adult', 'child')),
  count        smallint not null check (count > 0),
  primary key (unit_id, sent_time, stream_id, seq)
) partition by range (sent_time);
create index passenger_events_bus on passenger_events (workplace_id, time);

create table camera_states (
  unit_id   bigint not null,
  stream_id bigint not null,
  seq       bigint not null,
  sent_time timestamptz not null,
  time      timestamptz not null,
  camera_id bigint not null,
  status    text not null check (status in ('online', 'offline')),
  primary key (unit_id, sent_time, stream_id, seq)
) partition by range (sent_time);

-- Sums of passenger_events by the bus's local hour, kept in the transaction that stores the events.
create table hourly_traffic (
  workplace_id   bigint not null references workplaces,
  hour_start     timestamptz not null,
  entered_adults integer not null default 0,
  entered_kids   integer not null default 0,
  exited_adults  integer not null default 0,
  exited_kids    integer not null default 0,
  primary key (workplace_id, hour_start)
);

-- Bumped by whatever changes what a bus's day shows; kept answers are valid while it stands.
create table bus_days (
  workplace_id bigint not null references workplaces,
  day          date not null,
  version      bigint not null default 1,
  primary key (workplace_id, day)
);

create table unit_commands (
  id          bigint generated always as identity primary key,
  unit_id     bigint not null references units,
  kind        text not null check (kind in ('fetch_segment', 'report_camera_states')),
  segment_id  bigint,
  created_at  timestamptz not null default now(),
  accepted_at timestamptz,
  finished_at timestamptz,
  result      text check (result in ('done', 'failed', 'cancelled')),
  reason      text
);
create index unit_commands_open on unit_commands (unit_id, id) where finished_at is null;
