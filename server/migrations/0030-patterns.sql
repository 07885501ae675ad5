-- Patterns of a route: a short run, a run by another street. A route without rows here has one pattern, its stops. The
-- default pattern is the list of those stops that have in_default; a further pattern refers to stops of the route.

create table route_patterns (
  id       bigint generated always as identity primary key,
  group_id bigint not null references route_groups
);
create index route_patterns_group on route_patterns (group_id);

create table route_pattern_versions (
  pattern_id bigint not null references route_patterns,
  valid_from date not null,
  -- First local day on which the row no longer holds.
  valid_to   date check (valid_to > valid_from),
  name       text not null check (length(name) between 1 and 255),
  -- Ids of route_stops, in order within each direction; null for the default pattern.
  stop_ids   bigint[],
  -- [{"latitude": .., "longitude": ..}, ..]; null: the route's track, from the pattern's first stops to its last ones.
  track      jsonb,
  primary key (pattern_id, valid_from),
  check (stop_ids is not null or track is null)
);

-- False for a stop that only further patterns have.
alter table route_stop_versions add column in_default boolean not null default true;

-- The pattern that the lap fits best, and its name then; null if the route has one pattern on the day.
alter table laps add column pattern_id bigint references route_patterns, add column pattern_name text;
