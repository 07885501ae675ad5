import { dayOf, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** Who counts the people of a bus: its unit, or a program that looks at the video. */
export type CountSource = 'unit' | 'video';

/** A bus's time zone and counter, and the moment from which they are valid. */
export interface ZoneSpan {
  /** ms since 1970 UTC; the earliest span also holds for everything before it. */
  readonly fromMs: number;
  readonly zone: string;
  readonly source: CountSource;
}

/** The zones of a bus, and the same as its rows say it, for whoever keeps them: they hold while the rows say so. */
export interface KnownZones {
  readonly spans: readonly ZoneSpan[];
  /** `2026-01-01 Europe/Moscow unit,…`, as `store_following_batch` puts it together. */
  readonly said: string;
}

/** The time zones a bus has had, the latest last; never empty. */
export async function listZoneSpans(db: Db, busId: number): Promise<readonly ZoneSpan[]> {
  return (await readZones(db, busId)).spans;
}

/** The zones of a bus, to be kept. */
export async function readZones(db: Db, busId: number): Promise<KnownZones> {
  const rows = await db
    .selectFrom('workplace_settings')
    .select(['valid_from', 'timezone', 'count_source'])
    .where('workplace_id', '=', busId)
    .orderBy('valid_from')
    .execute();
  if (rows.length === 0) {
    const span = { fromMs: Number.NEGATIVE_INFINITY, zone: FALLBACK_ZONE, source: 'unit' } as const;
    return { spans: [span], said: '' };
  }
  return {
    spans: rows.map((row) => ({
      fromMs: dayRange(row.valid_from, row.timezone).startMs,
      zone: row.timezone,
      source: row.count_source as CountSource,
    })),
    said: rows.map((row) => `${row.valid_from} ${row.timezone} ${row.count_source}`).join(','),
  };
}

/** The zone that is valid at a moment (ms since 1970 UTC). */
export function zoneAt(spans: readonly ZoneSpan[], momentMs: number): string {
  return spanAt(spans, momentMs)?.zone ?? FALLBACK_ZONE;
}

/** Who counts at a moment (ms since 1970 UTC). */
export function sourceAt(spans: readonly ZoneSpan[], momentMs: number): CountSource {
  return spanAt(spans, momentMs)?.source ?? 'unit';
}

function spanAt(spans: readonly ZoneSpan[], momentMs: number): ZoneSpan | undefined {
  return spans.findLast(({ fromMs }) => fromMs <= momentMs) ?? spans[0];
}

/** A local day and its bounds, ms since 1970 UTC; the end no longer belongs to it. */
export interface LocalDay {
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Finds the local days of many moments (ms since 1970 UTC). Records come in runs of one day; finding it anew for each
 * would cost more than storing them.
 */
export function createDayFinder(zones: readonly ZoneSpan[]): (timeMs: number) => LocalDay {
  let last: (LocalDay & { zone: string }) | undefined;
  return (timeMs) => {
    const zone = zoneAt(zones, timeMs);
    if (last?.zone === zone && timeMs >= last.startMs && timeMs < last.endMs) return last;
    const day = dayOf(timeMs, zone);
    last = { day, zone, ...dayRange(day, zone) };
    return last;
  };
}

/**
 * Has the batches of a bus wait until the transaction ends. Call it before any other row is locked, as batches lock the
 * row of their unit first.
 */
export async function lockBatches(tx: Db, busId: number): Promise<void> {
  await sql`select from units where workplace_id = ${busId} for no key update`.execute(tx);
}

/**
 * Marks local days of a bus as changed, so that answers kept for them are made anew.
 * Call it last in a transaction: the rows stay locked until it ends.
 * @param days `YYYY-MM-DD`, repeated ones count once
 */
export async function bumpDays(tx: Db, busId: number, days: readonly string[]): Promise<void> {
  if (days.length === 0) return;
  // One order for everybody who locks several days.
  const ordered = [...new Set(days)].sort();
  await sql`insert into bus_days (workplace_id, day)
    select ${busId}::bigint, day from unnest(${ordered}::date[]) as day
    on conflict (workplace_id, day) do update set version = bus_days.version + 1`.execute(tx);
}

/**
 * Marks the local days that a stretch of time touches as changed.
 * @param startMs ms since 1970 UTC
 * @param endMs not before startMs; the moment itself no longer belongs to the stretch
 */
export async function bumpDaysBetween(
  tx: Db,
  busId: number,
  startMs: number,
  endMs: number,
): Promise<void> {
  const spans = await listZoneSpans(tx, busId);
  const lastMs = Math.max(startMs, endMs - 1);
  const days: string[] = [];
  let momentMs = startMs;
  while (momentMs <= lastMs) {
    const zone = zoneAt(spans, momentMs);
    const day = dayOf(momentMs, zone);
    days.push(day);
    momentMs = dayRange(day, zone).endMs;
  }
  await bumpDays(tx, busId, days);
}
