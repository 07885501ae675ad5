-- lap_days.asked_at says since when changes wait, also on a day that is due anyway because its last lap is to end. So the
-- first batch after a computation takes the long way, which writes it.

-- As in 0026, but for the days that are due without being asked for.
create or replace function store_following_batch(
  of_unit bigint, seen_batches bigint, received_at timestamptz,
  of_stream bigint, numbers int8multirange, unplaced_numbers int8multirange,
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
  changed_days date[]
) returns boolean language plpgsql
-- Every plan here is a look at a key; on partitioned tables planning anew costs more than running.
set plan_cache_mode = force_generic_plan
as $$
declare
  last_fix timestamptz;
  due integer;
begin
  -- The unit's lock, as in every other way to store a batch.
  select units.last_fix_at into last_fix from units
    where units.id = of_unit and units.batches = seen_batches
      and units.workplace_id is not distinct from bus for no key update;
  if not found then return false; end if;
  perform from unit_streams
    where unit_streams.id = of_stream and not unit_streams.received && numbers for no key update;
  if not found then return false; end if;
  if bus is not null then
    if zones is distinct from (
      select coalesce(string_agg(s.valid_from || ' ' || s.timezone || ' ' || s.count_source, ','
        order by s.valid_from), '')
      from workplace_settings s where s.workplace_id = bus
    ) then return false; end if;
    -- Locked until the end: whoever takes the day waits for what this batch brings.
    perform from lap_days
      where lap_days.workplace_id = bus and lap_days.day = any(lap_days_due)
        and lap_days.asked_at is not null
        and lap_days.due_at <= case when exists (
          select from watched_buses w where w.workplace_id = bus and w.wanted_until > received_at
        ) then due_if_watched else due_by end
      order by lap_days.day for no key update;
    get diagnostics due = row_count;
    if due < cardinality(lap_days_due) then return false; end if;
    -- An event within a fragment that somebody has counted changes its difference.
    if exists (
      select from workplaces w where w.id = bus and w.counted_until > (select min(t) from unnest(times) t)
    ) then return false; end if;
  end if;
  if block is not null then
    update position_blocks set point_count = block_count, first_time = block_first,
      last_time = block_last, points = block_points
      where position_blocks.unit_id = of_unit and position_blocks.block_start = block;
    if not found then return false; end if;
  end if;
  update unit_streams set received = received + numbers, unplaced = unplaced + unplaced_numbers
    where unit_streams.id = of_stream;
  update units set batches = units.batches + 1, last_seen_at = received_at,
    last_moved_at = greatest(last_moved_at, moved_at) where units.id = of_unit and (fix_at is null or last_fix >= fix_at);
  if not found then
    update units set batches = units.batches + 1, last_seen_at = received_at,
      last_moved_at = greatest(last_moved_at, moved_at), last_fix_at = fix_at, last_latitude = latitude,
      last_longitude = longitude, last_course = course, last_speed_kmh = speed_kmh
      where units.id = of_unit;
  end if;
  if cardinality(seqs) > 0 then
    insert into passenger_events
      (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction, passenger, count)
      select of_unit, of_stream, bus, * from unnest(
        seqs, sent_times, times, doors, directions, passengers, counts);
  end if;
  if cardinality(hours) > 0 then
    insert into hourly_traffic as kept
      (workplace_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
      select bus, * from unnest(hours, adults_in, kids_in, adults_out, kids_out)
      on conflict (workplace_id, hour_start) do update set
        entered_adults = kept.entered_adults + excluded.entered_adults,
        entered_kids = kept.entered_kids + excluded.entered_kids,
        exited_adults = kept.exited_adults + excluded.exited_adults,
        exited_kids = kept.exited_kids + excluded.exited_kids;
    -- Last, in one order for everybody: the rows stay locked until the end.
    insert into bus_days (workplace_id, day) select bus, day from unnest(changed_days) as day order by day
      on conflict (workplace_id, day) do update set version = bus_days.version + 1;
  end if;
  return true;
end $$;
