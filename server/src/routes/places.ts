import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { distanceM, type Place } from '../laps/engine/geometry/plane.ts';

/** Stops of one name this near to each other are one place: the two sides of a street. */
const SAME_PLACE_M = 300;

/** A place where routes of a customer stop. */
export interface StopPlace extends Place {
  readonly id: number;
  readonly name: string;
}

interface PlacedStop extends Place {
  readonly name: string;
  /** The place that it had when it was read. */
  readonly classifierId?: number | undefined;
}

/** Finds the place of a stop: its own while that exists, else a known one of its name nearby, or a new one. */
export type FindPlace = (stop: PlacedStop) => Promise<number>;

/** The places of a customer. */
export async function listPlaces(db: Db, clientId: number): Promise<StopPlace[]> {
  return db
    .selectFrom('stop_classifiers')
    .select(['id', 'name', 'latitude', 'longitude'])
    .where('client_id', '=', clientId)
    .orderBy('id')
    .execute();
}

/** Keeps the places of a customer until the transaction ends; `lockPlaces` waits for it. */
export async function keepPlaces(tx: Tx, clientId: number): Promise<void> {
  await sql`select from clients where id = ${clientId} for share`.execute(tx);
}

/** Reads the places of a customer once, for many stops. */
export async function placesOf(tx: Tx, clientId: number): Promise<FindPlace> {
  const all = await listPlaces(tx, clientId);
  const ids = new Set(all.map(({ id }) => id));
  const byName = Map.groupBy(all, ({ name }) => name);
  return async (stop) => {
    if (stop.classifierId !== undefined && ids.has(stop.classifierId)) return stop.classifierId;
    const known = byName.get(stop.name) ?? [];
    const near = known.find((place) => distanceM(place, stop) <= SAME_PLACE_M);
    if (near !== undefined) return near.id;
    const { name, latitude, longitude } = stop;
    const { id } = await tx
      .insertInto('stop_classifiers')
      .values({ client_id: clientId, name, latitude, longitude })
      .returning('id')
      .executeTakeFirstOrThrow();
    byName.set(name, [...known, { id, name, latitude, longitude }]);
    return id;
  };
}
