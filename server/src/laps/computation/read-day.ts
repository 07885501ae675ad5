import type { DayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { inSnapshot } from '../../core/db/snapshot.ts';
import { hasMoreEvents, listEffectiveEvents } from '../../counts/day-events.ts';
import { peopleIn } from '../../counts/events.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import { LAP_MARGIN_MS } from '../../days/due-laps.ts';
import { countPositions, readPositionBlocks } from '../../positions/read.ts';
import { DayLimitError, MAX_EVENTS, MAX_POSITIONS } from './day-limit.ts';
import { findDayRoute, findDaySettings } from './day-settings.ts';
import type { PackedDay } from './packed-day.ts';

/** The inputs of a day except the present; and the bus's route on it. */
export interface DayInputs {
  readonly day: Omit<PackedDay, 'nowMs'>;
  readonly routeId: number | null;
}

/**
 * Reads the inputs of a bus's local day in one snapshot. The transaction ends with the read.
 * @returns undefined when the bus does not exist, or its positions of that day are deleted: its laps stay as they are
 * @throws DayLimitError too_large when there is more than a day can have
 */
export async function readDay(db: Db, { busId, day }: DayOfBus): Promise<DayInputs | undefined> {
  return inSnapshot(db, async (tx) => {
    const settings = await findDaySettings(tx, busId, day);
    if (settings === undefined) return undefined;
    const { startMs, endMs, testSinceMs, routeId } = settings;
    const fromMs = startMs - LAP_MARGIN_MS;
    const toMs = endMs + LAP_MARGIN_MS;
    // Positions of a test are in no lap.
    const untilMs = Math.max(fromMs, Math.min(toMs, testSinceMs ?? toMs));
    if (await isOutdated(tx, busId, { startMs, endMs })) return undefined;
    const positions = await countPositions(tx, busId, fromMs, untilMs);
    const hasTooMany =
      positions > MAX_POSITIONS || (await hasMoreEvents(tx, busId, fromMs, toMs, MAX_EVENTS));
    if (hasTooMany) throw new DayLimitError('too_large');
    const events = (await listEffectiveEvents(tx, busId, fromMs, toMs)).map((event) => ({
      timeMs: event.timeMs,
      direction: event.direction,
      count: peopleIn(event),
    }));
    // The route with its prices may be the largest part, and a day without data needs none.
    const isEmpty = positions === 0 && events.length === 0;
    return {
      routeId,
      day: {
        startMs,
        endMs,
        positions: await readPositionBlocks(tx, busId, fromMs, untilMs),
        route: isEmpty ? null : await findDayRoute(tx, settings, day),
        events,
      },
    };
  });
}

async function isOutdated(db: Db, busId: number, { startMs, endMs }: DayRange): Promise<boolean> {
  const { rows } = await sql`
    select from unit_assignments as assigned join units on units.id = assigned.unit_id
    where assigned.workplace_id = ${busId} and positions_from > ${new Date(startMs)}
      and from_at < ${new Date(endMs)} and until_at > ${new Date(startMs)}
    limit 1`.execute(db);
  return rows.length > 0;
}
