-- Routes and terminals are valid from a local day; a stop keeps its id through its changes. Laps, their stops and halts
-- as they are worked out (nothing wrote the old tables).

create table route_stop_versions (
  stop_id         bigint not null references route_stops,
  valid_from      date not null,
  -- First local day on which the row no longer holds.
  valid_to        date check (valid_to > valid_from),
  classifier_id   bigint not null references stop_classifiers,
  name            text not null check (length(name) between 1 and 255),
  latitude        double precision not null,
  longitude       double precision not null,
  -- Counts from 0 within each direction.
  order_key       integer not null,
  route_direction text not null check (route_direction in ('FORWARD', 'REVERSE')),
  terminal        text check (terminal in ('first', 'last')),
  primary key (stop_id, valid_from)
);
insert into route_stop_versions
  select id, valid_from, valid_to, classifier_id, name, latitude, longitude, order_key, route_direction, terminal
  from route_stops;
drop index route_stops_group;
alter table route_stops drop column classifier_id, drop column name, drop column latitude, drop column longitude,
  drop column order_key, drop column route_direction, drop column terminal, drop column valid_from,
  drop column valid_to;
create index route_stops_group on route_stops (group_id);

create unique index route_costs_pair on route_costs (from_stop_id, to_stop_id, valid_from);

-- Where the bus's laps begin; none: the first terminal of its route.
alter table workplace_settings add column terminal_stop_id bigint references route_stops;
update workplace_settings set terminal_stop_id = terminal_bus_stop_id
  from workplaces where workplaces.id = workplace_id;
alter table workplaces drop column terminal_bus_stop_id;

drop table lap_stops, laps, halts;

create table laps (
  id                    bigint generated always as identity primary key,
  workplace_id          bigint not null references workplaces,
  -- The local day in which the lap starts, and its number in it from 1.
  day                   date not null,
  number                integer not null,
  group_id              bigint references route_groups,
  start_time            timestamptz not null,
  end_time              timestamptz not null,
  -- [{"direction": .., "start": .., "end": ..}]
  legs                  jsonb not null,
  open                  boolean not null,
  incomplete            text,
  -- Effective counts, also of those without a stop; and how many those are.
  entered               integer not null,
  exited                integer not null,
  unplaced              integer not null,
  max_load              real not null,
  drift                 integer not null,
  imbalance             real not null,
  -- The estimate from the price table; null for groups that are not reckoned so.
  revenue_kopecks       bigint,
  revenue_error_kopecks bigint,
  no_price              real not null default 0,
  unique (workplace_id, day, number)
);

create table lap_stops (
  lap_id        bigint not null references laps on delete cascade,
  position      integer not null,
  route_stop_id bigint references route_stops,
  classifier_id bigint references stop_classifiers,
  name          text not null,
  latitude      double precision not null,
  longitude     double precision not null,
  direction     text,
  arrival       timestamptz,
  departure     timestamptz,
  distance_m    real,
  evidence      text,
  skipped       text,
  confidence    real not null,
  entered       integer not null,
  exited        integer not null,
  -- On board after the stop: as counted, and balanced over the lap.
  raw_load      integer not null,
  load          real not null,
  primary key (lap_id, position)
);
create index lap_stops_classifier on lap_stops (classifier_id, arrival);

create table halts (
  workplace_id bigint not null references workplaces,
  day          date not null,
  start_time   timestamptz not null,
  end_time     timestamptz not null,
  latitude     double precision not null,
  longitude    double precision not null,
  -- Of the lap that starts on the day, and the stop of it that the halt is.
  lap          integer,
  position     integer,
  entered      integer not null,
  exited       integer not null,
  primary key (workplace_id, day, start_time)
);

-- What the laps of a day were worked out from; behind bus_days.version while data wait.
create table lap_days (
  workplace_id bigint not null references workplaces,
  day          date not null,
  computed_at  timestamptz not null,
  primary key (workplace_id, day)
);
