-- A unit in test mode: what it sends is stored and counts for nothing until it is released.
alter table units
  add column test_since timestamptz,
  -- Its batches are kept as received until then.
  add column feed_until timestamptz;
alter table passenger_events add column in_test boolean not null default false;

-- Batches as received, for finding faults: some of the last ones, of units that somebody listens to.
create table unit_feed (
  id          bigint generated always as identity primary key,
  unit_id     bigint not null references units,
  received_at timestamptz not null,
  status      integer not null,
  bytes       integer not null,
  -- Cut at a number of characters, and null where the server could not read it.
  body        text,
  answer      text
);
create index unit_feed_unit on unit_feed (unit_id, id);
