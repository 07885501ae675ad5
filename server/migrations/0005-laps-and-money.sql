-- What is derived from a bus's day: laps, stops of laps, halts; and the calculator's record of it.

create table laps (
  id                 bigint generated always as identity primary key,
  workplace_id       bigint not null references workplaces,
  -- The local day in which the lap starts, and its number in it from 1.
  day                date not null,
  number             integer not null,
  group_id           bigint references route_groups,
  start_time         timestamptz not null,
  end_time           timestamptz not null,
  complete           boolean not null,
  entered            integer not null default 0,
  exited             integer not null default 0,
  -- [[lat, lon, ms since start], ..]
  track              jsonb not null default '[]',
  unique (workplace_id, day, number)
);

create table lap_stops (
  lap_id        bigint not null references laps on delete cascade,
  position      integer not null,
  route_stop_id bigint references route_stops,
  classifier_id bigint references stop_classifiers,
  latitude      double precision not null,
  longitude     double precision not null,
  arrival       timestamptz,
  departure     timestamptz,
  entered       integer not null default 0,
  exited        integer not null default 0,
  -- On board after the stop: as counted, and balanced over the lap.
  raw_load      integer not null default 0,
  load          integer not null default 0,
  primary key (lap_id, position)
);

create table halts (
  workplace_id bigint not null references workplaces,
  start_time   timestamptz not null,
  end_time     timestamptz not null,
  latitude     double precision not null,
  longitude    double precision not null,
  primary key (workplace_id, start_time)
);

create table calculations (
  workplace_id      bigint not null references workplaces,
  day               date not null,
  fare_kopecks      bigint not null default 0 check (fare_kopecks >= 0),
  salary_percent    numeric(5, 2) not null default 0 check (salary_percent between 0 and 100),
  -- The correction; may be negative.
  cashless_kopecks  bigint not null default 0,
  calculation_event text not null default 'ENTERED' check (calculation_event in ('ENTERED', 'EXITED')),
  shift_start       timestamptz,
  shift_end         timestamptz,
  version           integer not null default 1,
  primary key (workplace_id, day),
  check (shift_end is null or shift_start is null or shift_end > shift_start)
);
