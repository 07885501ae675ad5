import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { listRouteStops, RouteStop } from '@ridewatch/contract/routes';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { keepPlaces, placesOf } from './places.ts';
import { checkShape, type Entry, nearPairs } from './route-shape.ts';
import { findTrackOn } from './tracks.ts';
import { editedFrom, reachingBack, rowChanges, type Version, versionOn } from './valid-from.ts';

/** A stop as it is valid on a day. */
export interface StopValue {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly orderKey: number;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
  readonly classifierId: number;
  readonly terminal: 'first' | 'last' | null;
  /** False for a stop that only further patterns have. */
  readonly inDefault: boolean;
}

export interface StopOnDay extends StopValue {
  readonly id: number;
}

/** The wanted stop; a new one has no id, and its classifier is looked up. It is in the default pattern unless said. */
export type WantedStop = Omit<StopValue, 'classifierId' | 'orderKey' | 'inDefault'> & {
  readonly id?: number;
  readonly classifierId?: number;
  readonly inDefault?: boolean;
};

/** The stops of a route's default pattern on a day, forward ones first; earlier days have those of the first day. */
export async function listStopsOn(db: Db, routeId: number, day: string): Promise<StopOnDay[]> {
  return (await listAllStopsOn(db, routeId, day)).filter(({ inDefault }) => inDefault);
}

/** The same with stops that are in no default pattern, after those that are. */
export async function listAllStopsOn(db: Db, routeId: number, day: string): Promise<StopOnDay[]> {
  const { rows } = await sql<StopOnDay>`
    with stops as (select v.* from route_stops join route_stop_versions as v on v.stop_id = route_stops.id
      where route_stops.group_id = ${routeId}),
    asked as (select greatest(${day}::date, (select min(valid_from) from stops)) as day)
    select stop_id as id, name, latitude, longitude,
      -- Edits of several days may leave two stops at one place of the order.
      (row_number() over (partition by in_default, route_direction order by order_key, stop_id) - 1)::int
        as "orderKey",
      route_direction as "routeDirection", classifier_id as "classifierId", terminal, in_default as "inDefault"
    from stops, asked
    where valid_from <= asked.day and (valid_to is null or valid_to > asked.day)
    order by in_default desc, route_direction, "orderKey"`.execute(db);
  return rows;
}

/** The same as the contract's answer. */
export async function stopsAnswer(
  db: Db,
  routeId: number,
  day: string,
): Promise<ResponseOf<typeof listRouteStops>> {
  const stops = await listStopsOn(db, routeId, day);
  const near = nearPairs(stops);
  const items = stops.map((stop) => stopAnswer(stop, routeId));
  return {
    items,
    number: 0,
    total: items.length,
    near_stops: near.map(([from, to]) => ({ from: from.id, to: to.id })),
  };
}

/** A stop in the contract's form. */
export function stopAnswer(
  { classifierId, inDefault: _inDefault, ...stop }: StopOnDay,
  routeId: number,
): RouteStop {
  return { ...stop, groupId: routeId, classifier_id: classifierId };
}

/**
 * Sets the stops of a route from a day on, in this order within each direction. Stops of the default pattern that are
 * left out end then, those of further patterns stay; ids stay.
 * @param entry how they come in
 * @param ended id of a stop that ends, whatever patterns it is in
 * @returns the ids, in the order of the stops
 * @throws AppError conflict for neighbours that lie far apart and for too many stops, invalid_request for a route of
 *   length 0
 */
export async function saveStops(
  tx: Tx,
  group: { readonly id: number; readonly clientId: number },
  day: string,
  wanted: readonly WantedStop[],
  entry: Entry,
  ended?: number,
): Promise<number[]> {
  if (wanted.some(({ latitude, longitude }) => latitude === 0 && longitude === 0)) {
    throw new AppError(
      'invalid_request',
      'is 0, and so is the longitude: that is not a valid place',
      {
        field: 'latitude',
      },
    );
  }
  await keepPlaces(tx, group.clientId);
  const before = await listStopsOn(tx, group.id, day);
  const inDefault = wanted.filter((stop) => stop.inDefault !== false);
  checkShape(before, inDefault, await findTrackOn(tx, group.id, day), entry);
  const placeOf = await placesOf(tx, group.clientId);
  const versions = await listVersions(tx, group.id);
  const firstDay = [...versions.values()].flatMap((own) => own.map(({ from }) => from)).sort()[0];
  const added = wanted.filter(({ id }) => id === undefined).length;
  const newIds = await insertStops(tx, group.id, added);
  const order = { FORWARD: 0, REVERSE: 0 };
  const values = new Map<number, StopValue>();
  for (const { id: known, inDefault: isOfDefault = true, ...stop } of wanted) {
    const id = known ?? newIds.shift();
    if (id === undefined) throw new Error('A new stop has no id.');
    const classifierId = await placeOf(stop);
    const { name, latitude, longitude, routeDirection, terminal } = stop;
    const orderKey = order[routeDirection];
    order[routeDirection] += 1;
    values.set(id, {
      name,
      latitude,
      longitude,
      orderKey,
      routeDirection,
      classifierId,
      terminal,
      inDefault: isOfDefault,
    });
  }
  const deleted: Row[] = [];
  const inserted: (Row & StopValue & { to: string | null })[] = [];
  for (const id of new Set([...values.keys(), ...versions.keys()])) {
    const own = versions.get(id) ?? [];
    const value = values.get(id) ?? null;
    const seen = reachingBack(own, firstDay, day);
    const covering = versionOn(seen, day);
    if (value === null && covering?.value.inDefault !== true && id !== ended) continue;
    const changes = rowChanges(own, editedFrom(seen, day, value));
    deleted.push(...changes.deleted.map((from) => ({ id, from })));
    inserted.push(...changes.inserted.map(({ from, to, value: of }) => ({ id, from, to, ...of })));
  }
  await sql`delete from route_stop_versions as v
    using unnest(${deleted.map(({ id }) => id)}::bigint[], ${deleted.map(({ from }) => from)}::date[])
      as gone (id, day)
    where v.stop_id = gone.id and v.valid_from = gone.day`.execute(tx);
  await sql`insert into route_stop_versions (stop_id, valid_from, valid_to, classifier_id, name,
      latitude, longitude, order_key, route_direction, terminal, in_default)
    select id, "from", "to", "classifierId", name, latitude, longitude, "orderKey", "routeDirection", terminal,
      "inDefault"
    from jsonb_to_recordset(${JSON.stringify(inserted)}::jsonb) as t (id bigint, "from" date, "to" date,
      "classifierId" bigint, name text, latitude float8, longitude float8, "orderKey" integer,
      "routeDirection" text, terminal text, "inDefault" boolean)`.execute(tx);
  return [...values.keys()];
}

interface Row {
  readonly id: number;
  readonly from: string;
}

async function insertStops(tx: Tx, routeId: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into route_stops (group_id) select ${routeId}::bigint from generate_series(1, ${count}::int)
    returning id`.execute(tx);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function listVersions(tx: Tx, routeId: number): Promise<Map<number, Version<StopValue>[]>> {
  const { rows } = await sql<StopValue & { id: number; from: string; to: string | null }>`
    select stop_id as id, valid_from as from, valid_to as to, name, latitude, longitude,
      order_key as "orderKey", route_direction as "routeDirection", classifier_id as "classifierId", terminal,
      in_default as "inDefault"
    from route_stop_versions join route_stops on route_stops.id = stop_id
    where group_id = ${routeId}
    order by stop_id, valid_from`.execute(tx);
  const versions = new Map<number, Version<StopValue>[]>();
  for (const { id, from, to, ...value } of rows) {
    versions.set(id, [...(versions.get(id) ?? []), { from, to, value }]);
  }
  return versions;
}
