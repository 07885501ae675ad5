-- The last people that an unknown unit counted: a counter without a receiver of positions has nothing else to be known by.
alter table unknown_units
  add column counted_time timestamptz,
  add column door         smallint,
  add column entered      integer,
  add column exited       integer,
  add constraint unknown_units_counted check (num_nulls(counted_time, door, entered, exited) in (0, 4));
