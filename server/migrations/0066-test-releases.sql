-- Units whose records of a test are being given to their bus, in lots, by a job.
create table test_releases (
  unit_id  bigint primary key references units on delete cascade,
  -- When the test began.
  since    timestamptz not null,
  total    integer not null,
  released integer not null default 0
);
-- The records of a test, the oldest first, without the years that the unit sent before.
create index passenger_events_in_test on passenger_events (unit_id, time) where in_test;
