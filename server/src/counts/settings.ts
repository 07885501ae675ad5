import { addDays, dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { listZoneSpans, sourceAt, zoneAt } from '../days/bus-days.ts';
import { type BusSettings, findSettingsOn, writeBusSettings } from '../days/bus-settings.ts';
import { requestSettle } from '../days/unsettled.ts';
import { rebuildHours } from './rebuild-hours.ts';

/**
 * Writes a bus's settings from a local day on and rebuilds its hours: another zone has other hours, another counter
 * other people. On another route its days belong to the sums of that one.
 */
export async function changeBusSettings(
  tx: Tx,
  busId: number,
  day: string,
  settings: BusSettings,
): Promise<void> {
  const before = await listZoneSpans(tx, busId);
  const { group_id: routeBefore } = await findSettingsOn(tx, busId, day);
  await writeBusSettings(tx, busId, day, settings);
  const { startMs } = dayRange(day, settings.timezone);
  const isSame =
    zoneAt(before, startMs) === settings.timezone &&
    sourceAt(before, startMs) === settings.count_source;
  if (isSame && routeBefore === settings.group_id) return;
  const days = await listDaysFrom(tx, busId, day);
  await (isSame ? requestSettle : rebuildHours)(tx, busId, days);
}

// The days with data and their neighbours, because in another zone people are on another day; and settled days without
// data, on which the unit was silent. The first settings also hold for earlier days.
async function listDaysFrom(tx: Tx, busId: number, day: string): Promise<string[]> {
  const [first] = await listZoneSpans(tx, busId);
  const isFirst = first !== undefined && dayRange(day, first.zone).startMs <= first.fromMs;
  const { rows } = await sql<{ day: string }>`
    select day + shift as day from bus_days cross join generate_series(-1, 1) as shift
    where workplace_id = ${busId}
    union select day from day_traffic where workplace_id = ${busId}`.execute(tx);
  const days = rows.map((row) => row.day);
  return isFirst ? days : days.filter((one) => one >= addDays(day, -1));
}
