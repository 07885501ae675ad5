-- An hour says of which unit its people are, what manual counts add to them, and who came outside the shift. So a bus's day
-- and its money are read from the hours that batches and edits wrote, and nobody sums the events again for a viewer.
alter table hourly_traffic
  -- As in the tables of records without a reference, whose check is a third of the cost of a new row.
  add column unit_id bigint,
  add column entered_manual integer not null default 0,
  add column exited_manual integer not null default 0,
  add column entered_outside integer not null default 0,
  add column exited_outside integer not null default 0;

update hourly_traffic as kept set unit_id = coalesce(
  (select seen.unit_id from passenger_events as seen
    where seen.workplace_id = kept.workplace_id
      and seen.time >= kept.hour_start and seen.time < kept.hour_start + interval '1 hour'
    limit 1),
  (select units.id from units where units.workplace_id = kept.workplace_id limit 1));

-- Days that are more than the events of one unit are rebuilt from their records: those with a shift, with manual counts, with
-- events of several units, or counted from the video. A day too many does no harm.
insert into stale_hours (workplace_id, day)
select workplace_id, day from calculations
where shift_start is not null or shift_end is not null
union
select cameras.workplace_id, (start_time at time zone 'UTC')::date + shift
from manual_counts join segments on segments.id = segment_id join cameras on cameras.id = camera_id
cross join generate_series(-1, 1) as shift
union
select kept.workplace_id, (hour_start at time zone 'UTC')::date + shift
from hourly_traffic as kept cross join generate_series(-1, 1) as shift
where kept.unit_id is null or exists (
  select from passenger_events as seen
  where seen.workplace_id = kept.workplace_id and seen.unit_id <> kept.unit_id
    and seen.time >= kept.hour_start and seen.time < kept.hour_start + interval '1 hour')
union
select bus_days.workplace_id, bus_days.day from bus_days
where exists (select from workplace_settings as counted
  where counted.workplace_id = bus_days.workplace_id and counted.count_source = 'video')
on conflict do nothing;

delete from hourly_traffic where unit_id is null;
alter table hourly_traffic
  alter column unit_id set not null,
  drop constraint hourly_traffic_pkey,
  add primary key (workplace_id, hour_start, unit_id);

-- Of which type a settled day is stands beside its revenue.
alter table day_traffic add column by_laps boolean not null default false;
update day_traffic set by_laps = true
where coalesce(
  (select bool_or(revenue_kopecks is not null) from laps
    where laps.workplace_id = day_traffic.workplace_id and laps.day = day_traffic.day),
  coalesce(
    (select type_calculation from route_calculations as dated
      where dated.group_id = day_traffic.group_id and dated.valid_from <= day_traffic.day
      order by dated.valid_from desc limit 1),
    (select type_calculation from route_groups where id = day_traffic.group_id), '') = 'CALCULATION');

-- Hours are rebuilt by unit from the index alone.
drop index passenger_events_bus;
create index passenger_events_bus on passenger_events (workplace_id, time)
  include (unit_id, direction, passenger, count);

-- A batch for the usual way: server/src/ingest/store/one-statement.ts.
create type following_batch as (
  unit bigint, seen_batches bigint, received_at timestamptz,
  stream bigint, numbers int8multirange, unplaced_numbers int8multirange,
  -- The block of the points and what it is with them; null: no points.
  block timestamptz, block_count integer, block_first timestamptz, block_last timestamptz, block_points bytea,
  -- The newest fix, and when the unit last moved; null: none.
  fix_at timestamptz, latitude double precision, longitude double precision, course real, speed_kmh real,
  moved_at timestamptz,
  -- The bus, its zones, the days whose laps change and until when they must be due; null: no bus.
  bus bigint, zones text, lap_days_due date[], due_if_watched timestamptz, due_by timestamptz,
  -- Passengers, a place of each list for one.
  seqs bigint[], sent_times timestamptz[], times timestamptz[], doors smallint[], directions text[],
  passengers text[], counts smallint[],
  -- What they add to the hours, and the days that they change.
  hours timestamptz[], adults_in integer[], kids_in integer[], adults_out integer[], kids_out integer[],
  outside_in integer[], outside_out integer[], changed_days date[]
);

drop function store_following_batch;

-- As in 0029, but of one value, and with the unit of the hours and their people outside the shift.
create function store_following_batch(batch following_batch) returns boolean language plpgsql
-- Every plan here is a look at a key; on partitioned tables planning anew costs more than running.
set plan_cache_mode = force_generic_plan
as $$
declare
  last_fix timestamptz;
  due integer;
begin
  -- The unit's lock, as in every other way to store a batch.
  select units.last_fix_at into last_fix from units
    where units.id = batch.unit and units.batches = batch.seen_batches
      and units.workplace_id is not distinct from batch.bus for no key update;
  if not found then return false; end if;
  perform from unit_streams
    where unit_streams.id = batch.stream and not unit_streams.received && batch.numbers for no key update;
  if not found then return false; end if;
  if batch.bus is not null then
    if batch.zones is distinct from (
      select coalesce(string_agg(s.valid_from || ' ' || s.timezone || ' ' || s.count_source, ','
        order by s.valid_from), '')
      from workplace_settings s where s.workplace_id = batch.bus
    ) then return false; end if;
    -- Locked until the end: whoever takes the day waits for what this batch brings.
    perform from lap_days
      where lap_days.workplace_id = batch.bus and lap_days.day = any(batch.lap_days_due)
        and lap_days.asked_at is not null
        and lap_days.due_at <= case when exists (
          select from watched_buses w where w.workplace_id = batch.bus and w.wanted_until > batch.received_at
        ) then batch.due_if_watched else batch.due_by end
      order by lap_days.day for no key update;
    get diagnostics due = row_count;
    if due < cardinality(batch.lap_days_due) then return false; end if;
    -- An event within a fragment that somebody has counted changes its difference.
    if exists (
      select from workplaces w
      where w.id = batch.bus and w.counted_until > (select min(t) from unnest(batch.times) t)
    ) then return false; end if;
  end if;
  if batch.block is not null then
    update position_blocks set point_count = batch.block_count, first_time = batch.block_first,
      last_time = batch.block_last, points = batch.block_points
      where position_blocks.unit_id = batch.unit and position_blocks.block_start = batch.block;
    if not found then return false; end if;
  end if;
  update unit_streams set received = received + batch.numbers, unplaced = unplaced + batch.unplaced_numbers
    where unit_streams.id = batch.stream;
  update units set batches = units.batches + 1, last_seen_at = batch.received_at,
    last_moved_at = greatest(last_moved_at, batch.moved_at)
    where units.id = batch.unit and (batch.fix_at is null or last_fix >= batch.fix_at);
  if not found then
    update units set batches = units.batches + 1, last_seen_at = batch.received_at,
      last_moved_at = greatest(last_moved_at, batch.moved_at), last_fix_at = batch.fix_at,
      last_latitude = batch.latitude, last_longitude = batch.longitude, last_course = batch.course,
      last_speed_kmh = batch.speed_kmh
      where units.id = batch.unit;
  end if;
  if cardinality(batch.seqs) > 0 then
    insert into passenger_events
      (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction, passenger, count)
      select batch.unit, batch.stream, batch.bus, * from unnest(batch.seqs, batch.sent_times, batch.times,
        batch.doors, batch.directions, batch.passengers, batch.counts);
  end if;
  if cardinality(batch.changed_days) > 0 then
    insert into hourly_traffic as kept
      (workplace_id, unit_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids,
        entered_outside, exited_outside)
      select batch.bus, batch.unit, * from unnest(batch.hours, batch.adults_in, batch.kids_in,
        batch.adults_out, batch.kids_out, batch.outside_in, batch.outside_out)
      on conflict (workplace_id, hour_start, unit_id) do update set
        entered_adults = kept.entered_adults + excluded.entered_adults,
        entered_kids = kept.entered_kids + excluded.entered_kids,
        exited_adults = kept.exited_adults + excluded.exited_adults,
        exited_kids = kept.exited_kids + excluded.exited_kids,
        entered_outside = kept.entered_outside + excluded.entered_outside,
        exited_outside = kept.exited_outside + excluded.exited_outside;
    -- Last, in one order for everybody: the rows stay locked until the end.
    insert into bus_days (workplace_id, day) select batch.bus, day from unnest(batch.changed_days) as day order by day
      on conflict (workplace_id, day) do update set version = bus_days.version + 1;
  end if;
  return true;
end $$;
