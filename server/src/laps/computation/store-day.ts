// Stores the laps of a day. A bus on the road is computed again and again, and only its last lap changes, so only
// changed rows are written.
import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../core/db/db.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import type { HaltOut } from '../engine/day-halts.ts';
import type { LapOut } from '../engine/day-laps.ts';
import type { ComputedDay } from './computed-day.ts';

/** The difference between a day and its stored laps. */
export interface DayDifference {
  readonly isAny: boolean;
  readonly routeId: number | null;
  /** New or changed laps. */
  readonly laps: readonly { readonly lap: LapOut; readonly digest: string }[];
  /** The number of the day's laps; stored ones beyond it are deleted. */
  readonly count: number;
  readonly tooMany: boolean;
  /** Undefined when they are as before. */
  readonly halts: readonly HaltOut[] | undefined;
  readonly haltsDigest: string;
}

/** Compares a day with its stored laps. */
export async function findChange(
  db: Db,
  { busId, day }: DayOfBus,
  { laps, halts, routeId }: ComputedDay,
): Promise<DayDifference> {
  const stored = await db
    .selectFrom('laps')
    .select(['number', 'digest'])
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .execute();
  const before = await db
    .selectFrom('lap_days')
    .select('halts_digest')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirst();
  const digests = new Map(stored.map((row) => [row.number, row.digest]));
  const changed = laps
    .map((lap) => ({ lap, digest: digestOf([routeId, lap]) }))
    .filter(({ lap, digest }) => digests.get(lap.number) !== digest);
  const tooMany = stored.some(({ number }) => number > laps.length);
  const haltsDigest = digestOf(halts);
  const sameHalts = (before?.halts_digest || digestOf([])) === haltsDigest;
  return {
    isAny: changed.length > 0 || tooMany || !sameHalts,
    routeId,
    laps: changed,
    count: laps.length,
    tooMany,
    halts: sameHalts ? undefined : halts,
    haltsDigest,
  };
}

/**
 * Updates the stored day; the caller has locked its row. A lap keeps its id as long as the day has a lap of its number.
 */
export async function storeChange(
  tx: Tx,
  question: DayOfBus,
  { routeId, laps, count, tooMany, halts, haltsDigest }: DayDifference,
): Promise<void> {
  const { busId, day } = question;
  if (tooMany) {
    await tx
      .deleteFrom('laps')
      .where('workplace_id', '=', busId)
      .where('day', '=', day)
      .where('number', '>', count)
      .execute();
  }
  if (laps.length > 0) await writeLaps(tx, { busId, day, routeId }, laps);
  if (halts !== undefined) await writeHalts(tx, question, halts);
  await tx
    .updateTable('lap_days')
    .set({ halts_digest: haltsDigest })
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .execute();
}

async function writeLaps(
  tx: Tx,
  of: { busId: number; day: string; routeId: number | null },
  changed: readonly { readonly lap: LapOut; readonly digest: string }[],
): Promise<void> {
  const rows = await tx
    .insertInto('laps')
    .values(
      changed.map(({ lap, digest }) => ({
        workplace_id: of.busId,
        day: of.day,
        number: lap.number,
        group_id: of.routeId,
        pattern_id: lap.pattern?.id ?? null,
        pattern_name: lap.pattern?.name ?? null,
        start_time: new Date(lap.startMs),
        end_time: new Date(lap.endMs),
        legs: JSON.stringify(
          lap.legs.map(({ direction, startMs, endMs }) => ({
            direction,
            start: new Date(startMs).toISOString(),
            end: new Date(endMs).toISOString(),
          })),
        ),
        open: lap.open,
        incomplete: lap.incomplete,
        entered: lap.entered,
        exited: lap.exited,
        unplaced: lap.unplaced,
        max_load: lap.maxLoad,
        drift: lap.drift,
        imbalance: lap.imbalance,
        revenue_kopecks: lap.revenueKopecks,
        revenue_error_kopecks: lap.revenueErrorKopecks,
        no_price: lap.noPrice,
        no_price_pairs: JSON.stringify(lap.unpriced ?? []),
        digest,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workplace_id', 'day', 'number']).doUpdateSet((eb) => ({
        group_id: eb.ref('excluded.group_id'),
        pattern_id: eb.ref('excluded.pattern_id'),
        pattern_name: eb.ref('excluded.pattern_name'),
        start_time: eb.ref('excluded.start_time'),
        end_time: eb.ref('excluded.end_time'),
        legs: eb.ref('excluded.legs'),
        open: eb.ref('excluded.open'),
        incomplete: eb.ref('excluded.incomplete'),
        entered: eb.ref('excluded.entered'),
        exited: eb.ref('excluded.exited'),
        unplaced: eb.ref('excluded.unplaced'),
        max_load: eb.ref('excluded.max_load'),
        drift: eb.ref('excluded.drift'),
        imbalance: eb.ref('excluded.imbalance'),
        revenue_kopecks: eb.ref('excluded.revenue_kopecks'),
        revenue_error_kopecks: eb.ref('excluded.revenue_error_kopecks'),
        no_price: eb.ref('excluded.no_price'),
        no_price_pairs: eb.ref('excluded.no_price_pairs'),
        digest: eb.ref('excluded.digest'),
      })),
    )
    // Postgres sets xmax of a row that it updates, not of one that it inserts.
    .returning(['id', 'number', sql<boolean>`xmax = 0`.as('isNew')])
    .execute();
  const ids = new Map(rows.map((row) => [row.number, row.id]));
  const stops = changed.flatMap(({ lap }) =>
    lap.stops.map((stop, position) => ({
      lap_id: ids.get(lap.number),
      position,
      route_stop_id: stop.stopId,
      classifier_id: stop.classifierId,
      name: stop.name,
      latitude: stop.latitude,
      longitude: stop.longitude,
      direction: stop.direction,
      arrival: momentOf(stop.arrivalMs),
      departure: momentOf(stop.departureMs),
      passed_at: momentOf(stop.passedMs),
      distance_m: stop.distanceM,
      evidence: stop.evidence,
      skipped: stop.skipped,
      confidence: stop.confidence,
      entered: stop.entered,
      exited: stop.exited,
      raw_load: stop.rawLoad,
      load: stop.load,
    })),
  );
  await replaceRows(tx, 'lap_stops', {
    where: sql`lap_id = any(${rows.filter(({ isNew }) => !isNew).map(({ id }) => id)}::bigint[])`,
    same: sql`fresh.lap_id = lap_stops.lap_id and fresh.position = lap_stops.position`,
    rows: stops,
  });
}

async function writeHalts(
  tx: Tx,
  { busId, day }: DayOfBus,
  halts: readonly HaltOut[],
): Promise<void> {
  const rows = halts.map((halt) => ({
    workplace_id: busId,
    day,
    start_time: momentOf(halt.startMs),
    end_time: momentOf(halt.endMs),
    latitude: halt.latitude,
    longitude: halt.longitude,
    lap: halt.lap,
    position: halt.position,
    entered: halt.entered,
    exited: halt.exited,
  }));
  await replaceRows(tx, 'halts', {
    where: sql`workplace_id = ${busId} and day = ${day}`,
    same: sql`fresh.start_time = halts.start_time`,
    rows,
  });
}

// Most rows of a bus on the road do not change and are not written.
async function replaceRows(
  tx: Tx,
  name: 'lap_stops' | 'halts',
  {
    where,
    same,
    rows,
  }: { where: RawBuilder<unknown>; same: RawBuilder<unknown>; rows: readonly object[] },
): Promise<void> {
  const table = sql.table(name);
  const fresh = sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`;
  await sql`delete from ${table} where ${where} and not exists (
    select from ${fresh} as fresh where ${same} and fresh.* is not distinct from ${table}.*)`.execute(
    tx,
  );
  await sql`insert into ${table} select * from ${fresh} on conflict do nothing`.execute(tx);
}

function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
