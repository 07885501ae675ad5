// Where a bus is now. It is asked every second by every page that follows a bus, so the row of a bus is read once a
// second at most, however many ask; rights are as old as elsewhere.

import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { VehiclePosition } from '@ridewatch/contract/laps';
import { findBus } from '../access.ts';
import type { Deps } from '../app.ts';
import type { Viewer } from '../auth/viewer.ts';

/** A bus that drove in the last minute is moving (the product's definition). */
const MOVING_MS = 60_000;
/** A row may be this old, ms; the unit says no more than one position a second. */
const KEEP_ROW_MS = 900;
/** Rights may be this old, ms; a lost bus must be lost within 5 s. */
const KEEP_RIGHT_MS = 2000;
const MOST_KEPT = 20_000;

/** @throws AppError not_found, also for foreign buses */
export type FindPosition = (viewer: Viewer, busId: number) => Promise<VehiclePosition>;

/** The places of buses, for one process. */
export function createPositions({
  database: { db },
  clock,
}: Pick<Deps, 'database' | 'clock'>): FindPosition {
  const rights = createKept(clock, KEEP_RIGHT_MS);
  const rows = createKept(clock, KEEP_ROW_MS);
  return async (viewer, busId) => {
    await rights(`${viewer.sessionId}:${busId}`, () => findBus(db, viewer, busId));
    const row = await rows(String(busId), () =>
      db
        .selectFrom('units')
        .select([
          'last_seen_at',
          'last_fix_at',
          'last_moved_at',
          'last_latitude',
          'last_longitude',
          'last_course',
          'last_speed_kmh',
        ])
        .where('workplace_id', '=', busId)
        .executeTakeFirst(),
    );
    const nowMs = clock.nowMs();
    const since = (time: Date | null | undefined): number => nowMs - (time?.getTime() ?? 0);
    const isSilent = since(row?.last_seen_at) >= SILENT_AFTER_MS;
    const isMoving = since(row?.last_moved_at) < MOVING_MS;
    const spoken = isMoving ? 'moving' : 'standing';
    return {
      latitude: row?.last_latitude ?? null,
      longitude: row?.last_longitude ?? null,
      direction: row?.last_course ?? null,
      speed_kmh: row?.last_speed_kmh ?? null,
      time: row?.last_fix_at?.toISOString() ?? null,
      state: isSilent ? 'silent' : spoken,
    };
  };
}

// What is asked for again within a moment is not read again; who asks meanwhile waits for the same reading.
function createKept(clock: Deps['clock'], keepMs: number) {
  const kept = new Map<string, { value: Promise<unknown>; readAtMs: number }>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const nowMs = clock.nowMs();
    const found = kept.get(key);
    if (found !== undefined && nowMs - found.readAtMs < keepMs) return found.value as Promise<T>;
    if (kept.size >= MOST_KEPT) kept.clear();
    const value = read();
    const entry = { value, readAtMs: nowMs };
    kept.set(key, entry);
    value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return value;
  };
}
