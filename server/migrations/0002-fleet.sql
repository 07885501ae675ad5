-- Routes, buses, units and cameras.

create table stop_classifiers (
  id        bigint generated always as identity primary key,
  client_id bigint not null references clients,
  name      text not null,
  latitude  double precision not null,
  longitude double precision not null
);
create index stop_classifiers_client on stop_classifiers (client_id);

create table route_groups (
  id               bigint generated always as identity primary key,
  client_id        bigint not null references clients,
  name             text not null check (length(name) between 1 and 255),
  deleted          boolean not null default false,
  type_calculation text not null default 'FIXED' check (type_calculation in ('FIXED', 'CALCULATION'))
);
create unique index route_groups_name on route_groups (client_id, name) where not deleted;

-- A track is valid from a local day until the next one is.
create table route_tracks (
  group_id   bigint not null references route_groups,
  valid_from date not null,
  -- [{"latitude": .., "longitude": ..}, ..]
  track      jsonb not null,
  primary key (group_id, valid_from)
);

create table route_stops (
  id              bigint generated always as identity primary key,
  group_id        bigint not null references route_groups,
  classifier_id   bigint not null references stop_classifiers,
  name            text not null,
  latitude        double precision not null,
  longitude       double precision not null,
  -- Counts from 0 within each direction.
  order_key       integer not null,
  route_direction text not null check (route_direction in ('FORWARD', 'REVERSE')),
  terminal        text check (terminal in ('first', 'last')),
  valid_from      date not null,
  -- First local day on which the row no longer holds.
  valid_to        date
);
create index route_stops_group on route_stops (group_id, route_direction, order_key);

create table route_costs (
  id           bigint generated always as identity primary key,
  group_id     bigint not null references route_groups,
  from_stop_id bigint not null references route_stops,
  to_stop_id   bigint not null references route_stops,
  cost_kopecks bigint not null check (cost_kopecks >= 0),
  valid_from   date not null,
  valid_to     date
);
create index route_costs_group on route_costs (group_id);

create table workplaces (
  id                      bigint generated always as identity primary key,
  name                    text not null check (length(name) between 1 and 255),
  description             text,
  type                    text not null default 'VMS' check (type in ('VMS', 'COUNTER')),
  gps_trackable           boolean not null default true,
  config                  text not null default '{}',
  count_passengers_inside boolean not null default true,
  bus_calculation         boolean not null default true,
  terminal_bus_stop_id    bigint references route_stops,
  capacity_seated         integer check (capacity_seated >= 0),
  capacity_standing       integer check (capacity_standing >= 0),
  created_at              timestamptz not null default now()
);

create table workplace_clients (
  workplace_id bigint not null references workplaces,
  client_id    bigint not null references clients,
  primary key (workplace_id, client_id)
);
create index workplace_clients_client on workplace_clients (client_id);

-- Group and zone of a bus are valid from a local day until the next row's.
create table workplace_settings (
  workplace_id bigint not null references workplaces,
  valid_from   date not null,
  group_id     bigint references route_groups,
  timezone     text not null default 'Europe/Moscow',
  primary key (workplace_id, valid_from)
);
create index workplace_settings_group on workplace_settings (group_id);

create table units (
  id             bigint generated always as identity primary key,
  device_id      text not null unique,
  workplace_id   bigint unique references workplaces,
  enabled        boolean not null default true,
  -- The server's clock at the unit's last word.
  last_seen_at   timestamptz,
  -- The newest position by corrected time.
  last_fix_at    timestamptz,
  last_latitude  double precision,
  last_longitude double precision,
  last_course    real,
  last_speed_kmh real,
  created_at     timestamptz not null default now()
);

-- Secrets are random 256 bits; only their SHA-256 is kept.
create table unit_credentials (
  id          bigint generated always as identity primary key,
  unit_id     bigint not null references units,
  secret_hash bytea not null unique,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  revoked_at  timestamptz
);
create index unit_credentials_unit on unit_credentials (unit_id);

create table cameras (
  id           bigint generated always as identity primary key,
  workplace_id bigint not null references workplaces,
  name         text not null,
  stream_id    text not null,
  live         boolean not null default false,
  liveurl      text,
  enabled      boolean not null default true,
  -- As the unit last said; null before its first word.
  status       text check (status in ('online', 'offline')),
  status_at    timestamptz,
  door         smallint,
  -- One counting camera a door at most.
  counts       boolean not null default true,
  unique (workplace_id, stream_id),
  check (not live or door is null)
);
create unique index cameras_counting_door on cameras (workplace_id, door) where counts and door is not null;
