import { dayOf } from '@ridewatch/contract/day';
import type { Tx } from '../../core/db/db.ts';
import { changeHours } from '../../counts/rebuild-hours.ts';
import { listShifts, NO_SHIFTS } from '../../counts/shifts.ts';
import { bumpDays, type KnownZones, readZones, zoneAt } from '../../days/bus-days.ts';
import { createDayRecords } from '../../days/day-records.ts';
import { requestLaps } from '../../days/due-laps.ts';
import { appendPositions, isNewestBlock, type OpenBlocks } from '../../positions/append.ts';
import { keepLastFix } from './last-fix.ts';
import { insertQueued, queueRows } from './queue-out.ts';
import type { RecordedDays } from './recorded-days.ts';
import { hasPlace, type Sorted } from './records.ts';
import type { KnownShifts, SeenUnit } from './seen-units.ts';
import { insertAnnouncements } from './store-fragments.ts';
import { hoursOf, insertCameraStates, insertPassengers, type Source } from './store-traffic.ts';
import { pointOf } from './stored.ts';
import { touchedDays } from './touched-days.ts';
import type { Upstream } from './upstreams.ts';

/** The result of `insertFresh`. */
export interface Inserted {
  /** The state for the next batch; undefined without positions. */
  readonly left: Pick<SeenUnit, 'block' | 'zones' | 'shifts'> | undefined;
  /** The local days of its passengers, which have the calculator's record now. */
  readonly days: ReadonlySet<string>;
}

/**
 * Stores new records of a unit and changes what depends on them: laps that are due, hours, days. The caller holds the
 * unit's lock and has created the partitions.
 * @param source the bus is null for a spare unit and one in test mode
 * @param open the blocks of the positions, each with room
 * @param cameraIds of the bus, by the unit's name of a camera
 * @param receivedMs the server's clock at arrival
 */
export async function insertFresh(
  tx: Tx,
  source: Source & {
    readonly recordedDays: RecordedDays;
    /** The stream is the one of numbers made of times. */
    readonly isTimed: boolean;
    /** They get what is stored for the bus. */
    readonly upstreams: readonly Upstream[];
  },
  fresh: Sorted,
  open: OpenBlocks,
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<Inserted> {
  const { unitId, streamId, busId, recordedDays, isTimed, upstreams } = source;
  const points = fresh.positions.filter(hasPlace).map((record) => pointOf(record, streamId));
  let zones: KnownZones = { spans: [], said: '' };
  let shifts: KnownShifts = { fromDay: '', byDay: NO_SHIFTS };
  if (busId !== null) {
    const locked = await lockTouched(tx, busId, fresh, receivedMs);
    zones = locked.zones;
    const [fromDay] = [...locked.days].sort();
    if (fromDay !== undefined) {
      shifts = { fromDay, byDay: await listShifts(tx, busId, fromDay) };
    }
  }
  const written = await appendPositions(tx, unitId, points, open);
  const block = written && {
    ...{ startMs: written.startMs, bytes: written.bytes },
    isNewest: await isNewestBlock(tx, unitId, written.startMs),
  };
  await keepLastFix(tx, unitId, fresh, receivedMs, isTimed);
  await insertCameraStates(tx, source, fresh.cameraStates, cameraIds, receivedMs);
  const moved = await insertAnnouncements(tx, source, fresh.announcements, cameraIds, receivedMs);
  const left = block && { block, zones, shifts };
  const isEmpty = points.length + fresh.passengers.length + fresh.announcements.length === 0;
  if (isEmpty) return { left, days: new Set() };
  await insertPassengers(tx, source, fresh.passengers);
  if (busId === null) return { left, days: new Set() };
  await insertQueued(tx, queueRows({ unitId, busId }, fresh, upstreams, receivedMs));
  const { hours, days } = hoursOf(source.unitId, fresh.passengers, zones.spans, shifts.byDay);
  const eventDays = new Set(days);
  if (!recordedDays.hasAll(busId, eventDays)) {
    const missing = [...eventDays].map((day) => ({ busId, day }));
    await createDayRecords(tx, missing, receivedMs);
  }
  const edges = fresh.announcements.flatMap(({ startMs, endMs, timeMs, sentMs }) =>
    [startMs, endMs - 1].map((ms) => ms + timeMs - sentMs),
  );
  for (const ms of edges) days.add(dayOf(ms, zoneAt(zones.spans, ms)));
  const times = [...fresh.passengers.map(({ timeMs }) => timeMs), ...edges, ...moved];
  await changeHours(tx, { busId, zones: zones.spans }, times, hours);
  await bumpDays(tx, busId, [...days]);
  return { left, days: eventDays };
}

/**
 * Requests the laps of the days that records change, which locks these days. Call it before other rows of the bus are
 * locked: the job that stores laps locks its day first, too.
 */
async function lockTouched(
  tx: Tx,
  busId: number,
  fresh: Sorted,
  receivedMs: number,
): Promise<{ zones: KnownZones; days: ReadonlySet<string> }> {
  const lock = async (zones: KnownZones) => {
    const days = touchedDays(fresh, zones.spans, receivedMs);
    await requestLaps(tx, busId, days, { nowMs: receivedMs });
    return { zones, days };
  };
  const before = await lock(await readZones(tx, busId));
  if (before.days.size === 0) return before;
  // The holder of a day may have changed zone or counter, and worked out the day without these records.
  const zones = await readZones(tx, busId);
  return zones.said === before.zones.said ? before : lock(zones);
}
