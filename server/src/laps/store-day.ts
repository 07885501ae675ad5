// Writes the laps of a day. A bus on the road is worked out again and again, and all but its last lap stay the same: only
// what changed is written.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import type { HaltOut } from './day-halts.ts';
import type { DayLaps, LapOut } from './day-laps.ts';

/**
 * Brings the stored laps and halts of a day to what they are now. A lap keeps its id as long as the day has a lap of
 * its number.
 * @param groupId of the bus on the day
 * @returns whether anything changed
 */
export async function storeDay(
  tx: Tx,
  { workplaceId, day }: { readonly workplaceId: number; readonly day: string },
  { laps, halts }: DayLaps,
  groupId: number | null,
): Promise<boolean> {
  const stored = await tx
    .selectFrom('laps')
    .select(['number', 'digest'])
    .where('workplace_id', '=', workplaceId)
    .where('day', '=', day)
    .execute();
  const digests = new Map(stored.map((row) => [row.number, row.digest]));
  const changed = laps
    .map((lap) => ({ lap, digest: digestOf([groupId, lap]) }))
    .filter(({ lap, digest }) => digests.get(lap.number) !== digest);
  const tooMany = stored.some(({ number }) => number > laps.length);
  if (tooMany) {
    await tx
      .deleteFrom('laps')
      .where('workplace_id', '=', workplaceId)
      .where('day', '=', day)
      .where('number', '>', laps.length)
      .execute();
  }
  if (changed.length > 0) await writeLaps(tx, { workplaceId, day, groupId }, changed);
  const haltsChanged = await storeHalts(tx, { workplaceId, day }, halts);
  return tooMany || changed.length > 0 || haltsChanged;
}

async function writeLaps(
  tx: Tx,
  of: { workplaceId: number; day: string; groupId: number | null },
  changed: readonly { readonly lap: LapOut; readonly digest: string }[],
): Promise<void> {
  const rows = await tx
    .insertInto('laps')
    .values(
      changed.map(({ lap, digest }) => ({
        workplace_id: of.workplaceId,
        day: of.day,
        number: lap.number,
        group_id: of.groupId,
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
        digest,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workplace_id', 'day', 'number']).doUpdateSet((eb) => ({
        group_id: eb.ref('excluded.group_id'),
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
        digest: eb.ref('excluded.digest'),
      })),
    )
    .returning(['id', 'number'])
    .execute();
  const ids = new Map(rows.map((row) => [row.number, row.id]));
  await tx
    .deleteFrom('lap_stops')
    .where('lap_id', 'in', [...ids.values()])
    .execute();
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
  await sql`insert into lap_stops
    select * from jsonb_populate_recordset(null::lap_stops, ${JSON.stringify(stops)}::jsonb)`.execute(
    tx,
  );
}

async function storeHalts(
  tx: Tx,
  { workplaceId, day }: { readonly workplaceId: number; readonly day: string },
  halts: readonly HaltOut[],
): Promise<boolean> {
  const digest = digestOf(halts);
  const before = await tx
    .selectFrom('lap_days')
    .select('halts_digest')
    .where('workplace_id', '=', workplaceId)
    .where('day', '=', day)
    .executeTakeFirst();
  await sql`insert into lap_days (workplace_id, day, computed_at, halts_digest)
    values (${workplaceId}, ${day}, now(), ${digest})
    on conflict (workplace_id, day) do update
      set computed_at = excluded.computed_at, halts_digest = excluded.halts_digest`.execute(tx);
  if (before?.halts_digest === digest) return false;
  await tx
    .deleteFrom('halts')
    .where('workplace_id', '=', workplaceId)
    .where('day', '=', day)
    .execute();
  const rows = halts.map((halt) => ({
    workplace_id: workplaceId,
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
  await sql`insert into halts
    select * from jsonb_populate_recordset(null::halts, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  );
  return true;
}

function momentOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
