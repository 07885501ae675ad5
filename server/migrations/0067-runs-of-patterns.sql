-- Runs of a further pattern for each run of the default one, by the timetable; null where unknown.
alter table route_pattern_versions
  add column runs double precision check (runs >= 0);
