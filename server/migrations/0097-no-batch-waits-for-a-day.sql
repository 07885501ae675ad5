-- As in 0071, and days that somebody holds are not waited for.
create or replace function store_following_batch(batch following_batch) returns boolean language plpgsql
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
    -- Locked until the end: the computation of the day waits for what this batch brings. A day that somebody holds would
    -- keep the batches of other units waiting, so this batch takes the long way, and waits there.
    perform from lap_days
      where lap_days.workplace_id = batch.bus and lap_days.day = any(batch.lap_days_due)
        and lap_days.asked_at is not null
        and lap_days.due_at <= case when exists (
          select from watched_buses w where w.workplace_id = batch.bus and w.wanted_until > batch.received_at
        ) then batch.due_if_watched else batch.due_by end
      order by lap_days.day for no key update skip locked;
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
