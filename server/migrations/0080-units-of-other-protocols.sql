-- Units that do not speak the unit interface: the protocol, the name by which it knows the unit, and how the unit departs
-- from the protocol's standard.
alter table units
  add column protocol text,
  add column protocol_id text,
  add column protocol_settings jsonb not null default '{}',
  add constraint units_protocol_and_id check ((protocol is null) = (protocol_id is null)),
  add constraint units_protocol_id_key unique (protocol, protocol_id);

-- The last reading of a counter that never starts anew: only the difference to it is people.
create table counter_readings (
  unit_id   bigint not null references units on delete cascade,
  -- The module of the counter, as the unit names it.
  module    integer not null,
  door      smallint not null,
  direction text not null check (direction in ('entered', 'exited')),
  sent_time timestamptz not null,
  reading   smallint not null,
  primary key (unit_id, module, door, direction)
);

-- Ports of such protocols that a process could not open, which it tries again: told to administrators.
create table closed_ports (
  listener text not null,
  port     integer not null,
  reason   text not null,
  since    timestamptz not null,
  -- When a process tried it last.
  tried_at timestamptz not null,
  primary key (listener, port)
);

-- Ids that knocked in such a protocol and that no unit has: an administrator gives one to a unit, or ignores it. Only what
-- they sent last is kept.
create table unknown_units (
  id          bigint generated always as identity primary key,
  protocol    text not null,
  protocol_id text not null,
  -- The address of its last connection.
  address     text not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  records     bigint not null,
  -- Of its last position; null: it has sent none.
  sent_time   timestamptz,
  latitude    double precision,
  longitude   double precision,
  ignored     boolean not null default false,
  unique (protocol, protocol_id)
);
create index unknown_units_last on unknown_units (last_at);

alter table attention_causes
  drop constraint attention_causes_kind_check,
  add constraint attention_causes_kind_check check (kind in ('silent_bus', 'camera_offline',
    'imbalance', 'merge_failed', 'disk_full', 'queue_starved', 'runs_out', 'unknown_unit'));
