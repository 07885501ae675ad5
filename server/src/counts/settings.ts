import { addDays, dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { endsOfRoutes } from '../access/route-of-day.ts';
import type { Tx } from '../core/db/db.ts';
import { inLockOrder } from '../days/bound-days.ts';
import { type DayOfBus, listZonesOf, sourceAt, type ZoneSpan, zoneAt } from '../days/bus-days.ts';
import { listRoutesOn, type SettingsFrom, writeBusSettings } from '../days/bus-settings.ts';
import { lockDaysOf, requestSettleOf } from '../days/unsettled.ts';
import { rebuildHours } from './rebuild-hours.ts';

/**
 * Writes settings of buses from local days on and rebuilds their hours: another zone has other hours, another counter
 * other people. On another route the days of a bus belong to the sums of that one. A route ends with the days of its
 * customer.
 * @param changes at least one, some hundred at most, each bus once
 */
export async function changeBusSettings(tx: Tx, changes: readonly SettingsFrom[]): Promise<void> {
  const ends = await endsOfRoutes(tx, changes);
  if (ends.length > 0) await changeBusSettings(tx, ends);
  const ids = changes.map(({ busId }) => busId);
  const before = await listZonesOf(tx, ids);
  const routes = await listRoutesOn(tx, changes);
  await writeBusSettings(tx, changes);
  const after = await listZonesOf(tx, ids);
  const recounted = changes.filter((one) => isRecounted(one, before.get(one.busId) ?? []));
  const rerouted = changes.filter(
    (one) => !recounted.includes(one) && routes.get(one.busId) !== one.settings.group_id,
  );
  const settled = await listDaysFrom(tx, rerouted, after);
  const rebuilt = await listDaysFrom(tx, recounted, after);
  await lockDaysOf(tx, inLockOrder([...settled, ...rebuilt]));
  await requestSettleOf(tx, settled);
  for (const [busId, own] of Map.groupBy(rebuilt, (one) => one.busId)) {
    await rebuildHours(
      tx,
      busId,
      own.map(({ day }) => day),
    );
  }
}

function isRecounted({ day, settings }: SettingsFrom, before: readonly ZoneSpan[]): boolean {
  const { startMs } = dayRange(day, settings.timezone);
  return (
    zoneAt(before, startMs) !== settings.timezone ||
    sourceAt(before, startMs) !== settings.count_source
  );
}

// The days with data and their neighbours, because in another zone people are on another day; and settled days without
// data, on which the unit was silent. The first settings also hold for earlier days.
async function listDaysFrom(
  tx: Tx,
  changes: readonly SettingsFrom[],
  zones: ReadonlyMap<number, readonly ZoneSpan[]>,
): Promise<DayOfBus[]> {
  const asked = changes.map(({ busId, day }) => {
    const [first] = zones.get(busId) ?? [];
    const isFirst = first !== undefined && dayRange(day, first.zone).startMs <= first.fromMs;
    return { busId, fromDay: isFirst ? '-infinity' : addDays(day, -1) };
  });
  const { rows } = await sql<DayOfBus>`
    select bus.id as "busId", known.day
    from unnest(${asked.map(({ busId }) => busId)}::bigint[],
      ${asked.map(({ fromDay }) => fromDay)}::date[]) as bus (id, from_day)
    cross join lateral (
      select day + shift as day from bus_days cross join generate_series(-1, 1) as shift
      where workplace_id = bus.id and day >= from_day - 1
      union select day from day_traffic where workplace_id = bus.id
    ) as known
    where known.day >= from_day`.execute(tx);
  return rows;
}
