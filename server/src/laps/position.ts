// Present positions. Every page that follows a bus polls each second, so all followed buses are read together once a
// second, however many pages poll.
import { VehiclePosition } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import { isVisibleClient } from '../access/visible.ts';
import { Cache } from '../core/cache.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import { RawAnswer } from '../core/http/send-cached.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';
import { busStateOf } from '../fetching/bus-state.ts';

/** Greatest age of a position, ms; the unit sends at most one a second. */
const KEEP_MS = 900;
/** A read includes the positions older than this, ms, so that all come to be read together. */
const TAKEN_ALONG_MS = KEEP_MS / 2;
/** A bus nobody asked for in this time is no longer followed, ms. */
const FOLLOWED_MS = 3000;
const MOST_KEPT = 20_000;

interface Place {
  /** Customers that the bus belongs to. */
  readonly clientIds: readonly number[];
  readonly answer: RawAnswer;
}

interface Followed {
  place: Promise<Place | undefined>;
  readAtMs: number;
}

/** @throws AppError not_found, also for foreign buses */
export type FindPosition = (viewer: Viewer, busId: number) => Promise<RawAnswer>;

const NOWHERE = Promise.resolve(undefined);

/** The positions of buses, for one process. */
export function createPositions({
  database: { db },
  clock,
}: Pick<Deps, 'database' | 'clock'>): FindPosition {
  const followed = new Cache<number, Followed>({
    most: MOST_KEPT,
    age: { keepMs: FOLLOWED_MS, clock },
  });

  const placeOf = (busId: number): Followed['place'] => {
    const askedMs = clock.elapsedMs();
    const known = followed.get(busId);
    const asked: Followed = known ?? { place: NOWHERE, readAtMs: Number.NEGATIVE_INFINITY };
    // Somebody polls: the bus stays followed.
    followed.set(busId, asked);
    if (askedMs - asked.readAtMs < KEEP_MS) return asked.place;
    const due = followed
      .entries()
      .filter(([id, { readAtMs }]) => id === busId || askedMs - readAtMs >= TAKEN_ALONG_MS);
    const places = readPlaces(
      db,
      due.map(([id]) => id),
      clock.nowMs(),
    );
    for (const [id, entry] of due) {
      const place = places.then((read) => read.get(id));
      Object.assign(entry, { place, readAtMs: askedMs });
      // A missing or failed position is looked up again.
      const forget = (): void => {
        if (entry.place === place) followed.delete(id, entry);
      };
      place.then((found) => found ?? forget(), forget);
    }
    return asked.place;
  };

  return async (viewer, busId) => {
    const place = await placeOf(busId);
    const isVisible =
      viewer.clientIds === 'all' || place?.clientIds.some((id) => isVisibleClient(viewer, id));
    if (place === undefined || !isVisible) throw notFound();
    return place.answer;
  };
}

async function readPlaces(
  db: Db,
  busIds: readonly number[],
  nowMs: number,
): Promise<Map<number, Place>> {
  const rows = await db
    .selectFrom('workplaces')
    .leftJoin('units', 'units.workplace_id', 'workplaces.id')
    .select([
      'workplaces.id',
      sql<number[]>`array(
        select client_id from workplace_clients where workplace_id = workplaces.id
      )`.as('clientIds'),
      'last_seen_at',
      'last_fix_at',
      'last_moved_at',
      'last_latitude',
      'last_longitude',
      'last_course',
      'last_speed_kmh',
    ])
    .where(sql<boolean>`workplaces.id = any(${[...busIds]}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { clientIds: row.clientIds, answer: answerOf(row, nowMs) }]),
  );
}

interface LastWord {
  readonly last_seen_at: Date | null;
  readonly last_fix_at: Date | null;
  readonly last_moved_at: Date | null;
  readonly last_latitude: number | null;
  readonly last_longitude: number | null;
  readonly last_course: number | null;
  readonly last_speed_kmh: number | null;
}

function answerOf(row: LastWord, nowMs: number): RawAnswer {
  const position = VehiclePosition.parse({
    latitude: row.last_latitude,
    longitude: row.last_longitude,
    direction: row.last_course,
    speed_kmh: row.last_speed_kmh,
    time: row.last_fix_at?.toISOString() ?? null,
    state: busStateOf(row, nowMs),
  });
  return new RawAnswer(Buffer.from(JSON.stringify(position)), {
    'content-type': 'application/json; charset=utf-8',
  });
}
