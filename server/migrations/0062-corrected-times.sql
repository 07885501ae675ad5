-- Events and camera states are partitioned by corrected time: a unit whose clock is at 1970 or in 2099 writes into the
-- month in which it sends. A repeat is known by unit, stream and number, whatever its time.
create function repartition(of_table text, key text) returns void language plpgsql as $$
declare
  month timestamptz;
begin
  execute format('alter table %I rename to old_rows', of_table);
  for month in execute 'select distinct date_trunc(''month'', time, ''UTC'') from old_rows' loop
    execute format('create table new_%s_%s (like old_rows including defaults including constraints)',
      of_table, to_char(month at time zone 'UTC', 'YYYY_MM'));
  end loop;
  execute format('create table %I (like old_rows including defaults including constraints) partition by range (time)',
    of_table);
  for month in execute 'select distinct date_trunc(''month'', time, ''UTC'') from old_rows' loop
    execute format('alter table %I attach partition new_%s_%s for values from (%L) to (%L)',
      of_table, of_table, to_char(month at time zone 'UTC', 'YYYY_MM'), month,
      (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
  end loop;
  execute format('insert into %I select * from old_rows', of_table);
  drop table old_rows;
  for month in execute format('select distinct date_trunc(''month'', time, ''UTC'') from %I', of_table) loop
    execute format('alter table new_%s_%s rename to %s_%s',
      of_table, to_char(month at time zone 'UTC', 'YYYY_MM'), of_table,
      to_char(month at time zone 'UTC', 'YYYY_MM'));
  end loop;
  execute format('alter table %I add constraint %I primary key %s', of_table, of_table || '_pkey', key);
end $$;
select repartition('passenger_events', '(unit_id, stream_id, seq, time)');
select repartition('camera_states', '(unit_id, stream_id, seq, time)');
drop function repartition;
create index passenger_events_bus on passenger_events (workplace_id, time) include (direction, passenger, count);

-- Records whose time is not known: in no figure until somebody, or a record around them, places them.
create table aside_records (
  -- Names the group of its batch.
  id           bigint generated always as identity,
  unit_id      bigint not null references units,
  stream_id    bigint not null references unit_streams,
  seq          bigint not null,
  workplace_id bigint references workplaces,
  in_test      boolean not null,
  received_at  timestamptz not null,
  -- As it was checked, and as the unit sent it.
  record       jsonb not null,
  raw          text not null,
  primary key (stream_id, seq)
);
create index aside_records_unit on aside_records (unit_id, received_at);
create index aside_records_received on aside_records (received_at);

-- A clock that starts at 1970 again names another fragment by the same start.
alter table segments drop constraint segments_unit_id_camera_id_sent_start_key;
