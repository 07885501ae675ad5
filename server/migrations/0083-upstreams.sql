-- Upstreams: systems to which the server passes on what units tell, in EGTS.
create table upstreams (
  id             bigint generated always as identity primary key,
  name           text not null,
  host           text not null,
  port           integer not null check (port between 1 and 65535),
  enabled        boolean not null default true,
  sign_in        text not null default 'none' check (sign_in in ('none', 'dispatcher', 'terminal')),
  -- Its number there and, of a dispatcher, what it says about itself.
  sign_in_id     bigint check (sign_in_id between 1 and 4294967295),
  sign_in_text   text,
  -- Buses of all customers and of none; else those of upstream_clients.
  all_clients    boolean not null default false,
  with_people    boolean not null default true,
  -- Needs attention when the oldest waiting record is older.
  late_minutes   integer not null default 10 check (late_minutes between 1 and 1440),
  -- Records of an earlier time are not sent.
  created_at     timestamptz not null,
  -- Changes with each edit: the process that sends begins anew.
  version        integer not null default 1,
  -- The process that sends, and until when it does unless it says so again.
  holder         uuid,
  held_until     timestamptz,
  connected_since timestamptz,
  last_confirmed_at timestamptz,
  -- Why it does not work, as a key of the contract, and since when; null: nothing is wrong.
  fault          text,
  fault_code     integer,
  fault_since    timestamptz,
  -- Records that were confirmed, and those that fell out of the queue before they were.
  confirmed      bigint not null default 0,
  fallen         bigint not null default 0,
  fallen_at      timestamptz,
  check (sign_in = 'none' or sign_in_id is not null)
);
create unique index upstreams_name on upstreams (lower(name));

-- The customers whose buses it gets.
create table upstream_clients (
  upstream_id bigint not null references upstreams on delete cascade,
  client_id   bigint not null references clients on delete cascade,
  primary key (upstream_id, client_id)
);
create index upstream_clients_client on upstream_clients (client_id);

-- The number of a bus as an object of the upstream. Units of EGTS have one of their own.
create table upstream_buses (
  upstream_id  bigint not null references upstreams on delete cascade,
  workplace_id bigint not null references workplaces on delete cascade,
  object_id    bigint not null check (object_id between 1 and 4294967295),
  primary key (upstream_id, workplace_id),
  unique (upstream_id, object_id)
);
create index upstream_buses_bus on upstream_buses (workplace_id);

-- Records that an upstream has still to confirm, some of one bus in a row. Without references: a row of a deleted upstream
-- must not fail the batch that brings it, and a check is a third of the cost of a new row.
create table upstream_queue (
  id           bigint generated always as identity,
  upstream_id  bigint not null,
  unit_id      bigint not null,
  workplace_id bigint not null,
  stored_at    timestamptz not null,
  -- When it is sent, again after a refusal that may pass.
  due_at       timestamptz not null,
  tries        smallint not null default 0,
  records      smallint not null,
  -- As of position_blocks, and [s since 1970, door, entered, exited].
  points       bytea,
  people       jsonb,
  primary key (upstream_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
create index upstream_queue_due on upstream_queue (upstream_id, due_at, id);

-- Records that an upstream refused for good, by its code.
create table upstream_refusals (
  upstream_id  bigint not null references upstreams on delete cascade,
  code         smallint not null,
  records      bigint not null,
  last_at      timestamptz not null,
  -- The bus of the last one, which may be deleted by now.
  workplace_id bigint not null,
  primary key (upstream_id, code)
);

alter table attention_causes
  drop constraint attention_causes_kind_check,
  add constraint attention_causes_kind_check check (kind in ('silent_bus', 'camera_offline', 'imbalance',
    'merge_failed', 'disk_full', 'queue_starved', 'runs_out', 'unknown_unit', 'upstream_late'));
