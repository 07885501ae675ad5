import type { RouteCost } from '@ridewatch/contract/costs';
import { roublesOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { findOneWayOrder } from './one-way.ts';
import { listPatternStopsOn } from './patterns.ts';
import { changedFrom, reachingBack, rowChanges, type Version, versionOn } from './valid-from.ts';

/** One price; null removes it. */
export interface WantedCost {
  readonly from: number;
  readonly to: number;
  readonly kopecks: number | null;
  /** The price that the user saw; undefined when unknown. */
  readonly seenKopecks?: number | null | undefined;
}

/**
 * The price table of a route on a day; earlier days have that of the first day. Prices of stops that
 * are in no pattern are left out.
 */
export async function listCostsOn(db: Db, routeId: number, day: string): Promise<RouteCost[]> {
  const { rows } = await sql<{ id: number; from: number; to: number; kopecks: number }>`
    with costs as (select * from route_costs where group_id = ${routeId}),
    asked as (select greatest(${day}::date, (select min(valid_from) from costs)) as day)
    select id, from_stop_id as from, to_stop_id as to, cost_kopecks as kopecks
    from costs, asked
    where valid_from <= asked.day and (valid_to is null or valid_to > asked.day)
    order by from_stop_id, to_stop_id`.execute(db);
  const stops = new Set((await listPatternStopsOn(db, routeId, day)).map(({ id }) => id));
  const present = rows.filter(({ from, to }) => stops.has(from) && stops.has(to));
  return present.map(({ id, from, to, kopecks }) => ({
    id,
    route_cost_id: id,
    from_stop_id: from,
    to_stop_id: to,
    cost: roublesOf(kopecks),
    group_id: routeId,
  }));
}

/**
 * Sets prices from a day on; the last of several for one ride counts.
 * @param fieldOf where the stop of a price is in the request, for errors
 * @throws AppError invalid_request for a stop of another route, or an impossible ride; conflict for a price that
 *   somebody else changed meanwhile
 */
export async function saveCosts(
  tx: Tx,
  routeId: number,
  day: string,
  wanted: readonly WantedCost[],
  fieldOf: FieldOf,
): Promise<void> {
  await checkStops(tx, routeId, day, wanted, fieldOf);
  await checkWays(tx, routeId, day, wanted, fieldOf);
  const versions = await listVersions(tx, routeId);
  const firstDay = [...versions.values()].flatMap((own) => own.map(({ from }) => from)).sort()[0];
  for (const [index, { from, to, kopecks, seenKopecks: seen }] of wanted.entries()) {
    const own = reachingBack(versions.get(keyOfPair(from, to)) ?? [], firstDay, day);
    const now = versionOn(own, day)?.value ?? null;
    // A user whose price is already stored need not be asked again.
    if (seen === undefined || now === seen || now === kopecks) continue;
    const message = `was changed meanwhile: ${now === null ? 'there is no price now' : roublesOf(now)}`;
    throw new AppError('conflict', message, { field: fieldOf(index, 'seen.cost') });
  }
  const deleted: Row[] = [];
  const inserted: (Row & { until: string | null; kopecks: number })[] = [];
  for (const { from, to, kopecks } of lastOfEach(wanted)) {
    const own = versions.get(keyOfPair(from, to)) ?? [];
    const { deleted: gone, inserted: come } = rowChanges(
      own,
      changedFrom(reachingBack(own, firstDay, day), day, kopecks),
    );
    deleted.push(...gone.map((valid) => ({ from, to, valid })));
    inserted.push(
      ...come.map((one) => ({ from, to, valid: one.from, until: one.to, kopecks: one.value })),
    );
  }
  // A price that only ends, or changes on its first day, keeps its id.
  await sql`delete from route_costs as c
    using jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) as gone ("from" bigint, "to" bigint, valid date)
    where c.from_stop_id = gone."from" and c.to_stop_id = gone."to" and c.valid_from = gone.valid
      and not exists (select from jsonb_to_recordset(${JSON.stringify(inserted)}::jsonb)
        as come ("from" bigint, "to" bigint, valid date)
        where come."from" = gone."from" and come."to" = gone."to" and come.valid = gone.valid)`.execute(
    tx,
  );
  await sql`insert into route_costs (group_id, from_stop_id, to_stop_id, cost_kopecks, valid_from, valid_to)
    select ${routeId}::bigint, "from", "to", kopecks, valid, until
    from jsonb_to_recordset(${JSON.stringify(inserted)}::jsonb)
      as come ("from" bigint, "to" bigint, kopecks bigint, valid date, until date)
    on conflict (from_stop_id, to_stop_id, valid_from)
      do update set cost_kopecks = excluded.cost_kopecks, valid_to = excluded.valid_to`.execute(tx);
}

/** The path to a part of a price in the request. */
export type FieldOf = (index: number, which: 'from' | 'to' | 'seen.cost') => string;

interface Row {
  readonly from: number;
  readonly to: number;
  readonly valid: string;
}

const keyOfPair = (from: number, to: number): string => `${from}:${to}`;

function lastOfEach(wanted: readonly WantedCost[]): Iterable<WantedCost> {
  return new Map(wanted.map((one) => [keyOfPair(one.from, one.to), one])).values();
}

async function checkStops(
  tx: Tx,
  routeId: number,
  day: string,
  wanted: readonly WantedCost[],
  fieldOf: FieldOf,
): Promise<void> {
  const rows = await tx
    .selectFrom('route_stops')
    .select('id')
    .where('group_id', '=', routeId)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const present = new Set((await listPatternStopsOn(tx, routeId, day)).map(({ id }) => id));
  for (const [index, ride] of wanted.entries()) {
    for (const which of ['from', 'to'] as const) {
      const field = fieldOf(index, which);
      if (!known.has(ride[which])) {
        throw new AppError('invalid_request', 'is not a stop of this route', { field });
      }
      // An existing price can be removed, whatever became of its stops.
      if (present.has(ride[which]) || ride.kopecks === null) continue;
      throw new AppError('invalid_request', `is not a stop of this route on ${day}`, { field });
    }
    if (ride.from === ride.to) {
      const field = fieldOf(index, 'to');
      throw new AppError('invalid_request', 'is the stop where the ride begins', { field });
    }
  }
}

// Nobody rides against the order of a one-way route. An existing price can be removed.
async function checkWays(
  tx: Tx,
  routeId: number,
  day: string,
  wanted: readonly WantedCost[],
  fieldOf: FieldOf,
): Promise<void> {
  if (wanted.every(({ kopecks }) => kopecks === null)) return;
  const order = await findOneWayOrder(tx, routeId, day);
  for (const [index, { from, to, kopecks }] of wanted.entries()) {
    const [start, end] = [order?.get(from), order?.get(to)];
    if (kopecks === null || start === undefined || end === undefined || start < end) continue;
    const message = 'is before the stop where the ride begins, and the route goes one way';
    throw new AppError('invalid_request', message, { field: fieldOf(index, 'to') });
  }
}

async function listVersions(tx: Tx, routeId: number): Promise<Map<string, Version<number>[]>> {
  const rows = await tx
    .selectFrom('route_costs')
    .select(['from_stop_id', 'to_stop_id', 'valid_from', 'valid_to', 'cost_kopecks'])
    .where('group_id', '=', routeId)
    .execute();
  const versions = new Map<string, Version<number>[]>();
  for (const row of rows) {
    const key = keyOfPair(row.from_stop_id, row.to_stop_id);
    const own = versions.get(key) ?? [];
    own.push({ from: row.valid_from, to: row.valid_to, value: row.cost_kopecks });
    versions.set(key, own);
  }
  return versions;
}
