import type { Db, Tx } from '../core/db/db.ts';
import { distanceM, type Place } from '../laps/engine/geometry/plane.ts';

/** Stops of one name this near to each other are one place: the two sides of a street. */
const SAME_PLACE_M = 300;

/** A place where routes of a customer stop. */
export interface StopPlace extends Place {
  readonly id: number;
  readonly name: string;
}

/** Finds the place of a stop: a known one of its name nearby, or a new one. */
export type FindPlace = (stop: Place & { readonly name: string }) => Promise<number>;

/** The places of a customer. */
export async function listPlaces(db: Db, clientId: number): Promise<StopPlace[]> {
  return db
    .selectFrom('stop_classifiers')
    .select(['id', 'name', 'latitude', 'longitude'])
    .where('client_id', '=', clientId)
    .orderBy('id')
    .execute();
}

/** Reads the places of a customer once, for many stops. */
export async function placesOf(tx: Tx, clientId: number): Promise<FindPlace> {
  const byName = Map.groupBy(await listPlaces(tx, clientId), ({ name }) => name);
  return async (stop) => {
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
