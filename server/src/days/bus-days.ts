import { type DayRange, dayOf, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { hoursOf } from '@ridewatch/contract/hours';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

const HOUR_MS = 3_600_000;

/** The counter of a bus's people: its unit, or a program that looks at the video. */
export type CountSource = 'unit' | 'video';

/** A time zone and counter of a bus, and from when they are valid. */
export interface ZoneSpan {
  /** ms since 1970 UTC; the earliest span also holds for everything before it. */
  readonly fromMs: number;
  readonly zone: string;
  readonly source: CountSource;
}

/** The zones of a bus and the text of their rows, for a cache: they are valid while the rows have this text. */
export interface KnownZones {
  readonly spans: readonly ZoneSpan[];
  /** `2026-01-01 Europe/Moscow unit,…`, as `store_following_batch` builds it. */
  readonly said: string;
}

/** The time zones of a bus over time, the latest last; never empty. */
export async function listZoneSpans(db: Db, busId: number): Promise<readonly ZoneSpan[]> {
  return (await readZones(db, busId)).spans;
}

/** The zones of a bus, for a cache. */
export async function readZones(db: Db, busId: number): Promise<KnownZones> {
  const rows = await db
    .selectFrom('workplace_settings')
    .select(['valid_from', 'timezone', 'count_source'])
    .where('workplace_id', '=', busId)
    .orderBy('valid_from')
    .execute();
  return zonesOf(rows);
}

interface ZoneRow {
  readonly valid_from: string;
  readonly timezone: string;
  readonly count_source: string;
}

// The rows in order of their day.
function zonesOf(rows: readonly ZoneRow[]): KnownZones {
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

/** A local day of a bus. */
export interface DayOfBus {
  readonly busId: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** The local day of a bus at a moment. */
export interface BusDay extends LocalDay {
  readonly busId: number;
}

/**
 * The time zones of buses over time, by bus, in one statement.
 * @returns those of each bus, the latest last; never empty
 */
export async function listZonesOf(
  db: Db,
  busIds: readonly number[],
): Promise<Map<number, readonly ZoneSpan[]>> {
  const rows = await db
    .selectFrom('workplace_settings')
    .select(['workplace_id', 'valid_from', 'timezone', 'count_source'])
    .where(sql<boolean>`workplace_id = any(${[...busIds]}::bigint[])`)
    .orderBy('workplace_id')
    .orderBy('valid_from')
    .execute();
  const settings = Map.groupBy(rows, (row) => row.workplace_id);
  return new Map(busIds.map((busId) => [busId, zonesOf(settings.get(busId) ?? []).spans]));
}

/**
 * The local days of buses at a moment.
 * @param zones of each bus over time, as `listZonesOf`
 * @param nowMs ms since 1970 UTC
 */
export function presentDaysOf(
  zones: ReadonlyMap<number, readonly ZoneSpan[]>,
  nowMs: number,
): BusDay[] {
  return [...zones].map(([busId, spans]) => {
    const day = dayOf(nowMs, zoneAt(spans, nowMs));
    return { busId, day, ...boundsOfDay(spans, day) };
  });
}

/** The zone that is valid at a moment (ms since 1970 UTC). */
export function zoneAt(spans: readonly ZoneSpan[], momentMs: number): string {
  return spanAt(spans, momentMs)?.zone ?? FALLBACK_ZONE;
}

/** The counter that is valid at a moment (ms since 1970 UTC). */
export function sourceAt(spans: readonly ZoneSpan[], momentMs: number): CountSource {
  return spanAt(spans, momentMs)?.source ?? 'unit';
}

function spanAt(spans: readonly ZoneSpan[], momentMs: number): ZoneSpan | undefined {
  return spans.findLast(({ fromMs }) => fromMs <= momentMs) ?? spans[0];
}

/** A local day and its bounds, ms since 1970 UTC; the end is excluded. */
export interface LocalDay {
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Finds the local days of many moments (ms since 1970 UTC). Records come in runs of one day; computing it for each
 * would cost more than storing them.
 */
export function createDayFinder(
  zones: readonly ZoneSpan[],
): (timeMs: number) => LocalDay & { readonly zone: string } {
  let last: (LocalDay & { readonly zone: string }) | undefined;
  return (timeMs) => {
    const zone = zoneAt(zones, timeMs);
    if (last?.zone === zone && timeMs >= last.startMs && timeMs < last.endMs) return last;
    const day = dayOf(timeMs, zone);
    last = { day, zone, ...dayRange(day, zone) };
    return last;
  };
}

/**
 * The starts of the hours of a bus's clock on a local day, ms since 1970 UTC, ascending.
 * @param bounds of the day, as `boundsOfDay`
 */
export function hoursOfDay(zones: readonly ZoneSpan[], bounds: Readonly<DayRange>): number[] {
  return zones.flatMap(({ zone, fromMs }, at) => {
    const startMs = at === 0 ? bounds.startMs : Math.max(bounds.startMs, fromMs);
    const endMs = Math.min(bounds.endMs, zones[at + 1]?.fromMs ?? bounds.endMs);
    return startMs < endMs ? hoursOf({ startMs, endMs }, zone) : [];
  });
}

/** Do the hours of a day follow each other at intervals of sixty minutes? @param hours as `hoursOfDay` */
export function hasEvenHours(hours: readonly number[]): boolean {
  return hours.every((ms, at) => ms - (hours[0] ?? 0) === at * HOUR_MS);
}

/**
 * The bounds of a bus's local day: of the moments for which `createDayFinder` finds it. On the day of a zone change,
 * start and end are in different zones. Days neither overlap nor leave a gap.
 * @param day `YYYY-MM-DD`
 * @returns start and end are the same for a day that a zone change leaves out
 */
export function boundsOfDay(zones: readonly ZoneSpan[], day: string): DayRange {
  const parts = zones.flatMap(({ fromMs, zone }, index) => {
    const own = dayRange(day, zone);
    // The first zone also holds before its day.
    const startMs = Math.max(own.startMs, index === 0 ? Number.NEGATIVE_INFINITY : fromMs);
    const endMs = Math.min(own.endMs, zones[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY);
    return startMs < endMs ? [{ startMs, endMs }] : [];
  });
  const [first, last] = [parts[0], parts.at(-1)];
  if (first !== undefined && last !== undefined) {
    return { startMs: first.startMs, endMs: last.endMs };
  }
  const change = zones.find(({ fromMs, zone }) => dayRange(day, zone).endMs <= fromMs);
  const momentMs = change?.fromMs ?? dayRange(day, zoneAt(zones, Date.parse(day))).startMs;
  return { startMs: momentMs, endMs: momentMs };
}

/** The moments that are a bus's local day (`YYYY-MM-DD`). */
export async function findDayBounds(db: Db, busId: number, day: string): Promise<DayRange> {
  return boundsOfDay(await listZoneSpans(db, busId), day);
}

/** Most past assignments of a bus, the latest, whose units wait: they may still send what they recorded in it. */
const MOST_PAST_ASSIGNMENTS = 100;

/** The units whose batches write to buses, as a query of ids: those that sit in them, and those that sat in them. */
export const writersOf = (busIds: readonly number[]): RawBuilder<unknown> => sql`
  select id from units where workplace_id = any(${[...busIds]}::bigint[])
  union
  select past.unit_id from unnest(${[...busIds]}::bigint[]) as bus (id)
  cross join lateral (
    select unit_id from past_assignments where workplace_id = bus.id
    order by until_at desc limit ${MOST_PAST_ASSIGNMENTS}
  ) as past`;

/**
 * Makes the batches of buses wait until the transaction ends. Call it before any other row is locked, because batches
 * lock their unit's row first, and once for all buses, because the units are locked in the order of their ids.
 */
export async function lockBatches(tx: Db, ...busIds: readonly number[]): Promise<void> {
  // The units are chosen before they are locked: one that moves meanwhile is still locked, and may write to both buses.
  await sql`
    select from units where id = any(array(${writersOf(busIds)}))
    order by id for no key update`.execute(tx);
}

/**
 * Marks local days of a bus as changed, which invalidates their cached answers. Call it last in a transaction: the rows
 * stay locked until it ends.
 * @param days `YYYY-MM-DD`, duplicates count once
 */
export async function bumpDays(tx: Db, busId: number, days: readonly string[]): Promise<void> {
  if (days.length === 0) return;
  // Everybody who locks several days does so in this order.
  const ordered = [...new Set(days)].sort();
  await sql`insert into bus_days (workplace_id, day)
    select ${busId}::bigint, day from unnest(${ordered}::date[]) as day
    on conflict (workplace_id, day) do update set version = bus_days.version + 1`.execute(tx);
}

/**
 * Marks all known days of buses as changed, from a local day on. Call it last in a transaction, as `bumpDays`, with whose
 * order of locks an update without one would meet head-on.
 * @param from `YYYY-MM-DD`; all days unless given
 */
export async function bumpAllDays(
  tx: Db,
  busIds: readonly number[],
  from = '-infinity',
): Promise<void> {
  await sql`
    with known as (
      select workplace_id, day from bus_days
      where workplace_id = any(${[...busIds]}::bigint[]) and day >= ${from}::date
      order by workplace_id, day for no key update
    )
    update bus_days set version = version + 1 from known
    where bus_days.workplace_id = known.workplace_id and bus_days.day = known.day`.execute(tx);
}

/**
 * Marks the local days that periods touch as changed.
 * @param periods start and end, ms since 1970 UTC; the end is excluded and not before the start
 */
export async function bumpDaysBetween(
  tx: Db,
  busId: number,
  periods: readonly (readonly [startMs: number, endMs: number])[],
): Promise<void> {
  const localDay = createDayFinder(await listZoneSpans(tx, busId));
  const days = new Set<string>();
  for (const [startMs, endMs] of periods) {
    const lastMs = Math.max(startMs, endMs - 1);
    for (let momentMs = startMs; momentMs <= lastMs; ) {
      const day = localDay(momentMs);
      days.add(day.day);
      momentMs = day.endMs;
    }
  }
  await bumpDays(tx, busId, [...days]);
}

/** A part of days in which a bus has one zone, ms since 1970 UTC; the end is excluded. */
export interface ZoneSpanOfDays {
  readonly zone: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The parts of local days, by the zone of a bus.
 * @param zones of the bus, the latest last
 * @param days `YYYY-MM-DD`, both included
 */
export function zoneSpansWithin(
  zones: readonly ZoneSpan[],
  { dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string },
): ZoneSpanOfDays[] {
  const firstMs = boundsOfDay(zones, dateFrom).startMs;
  const lastMs = boundsOfDay(zones, dateTo).endMs;
  return zones.flatMap(({ zone, fromMs }, at) => {
    const from = at === 0 ? firstMs : Math.max(firstMs, fromMs);
    const to = Math.min(lastMs, zones[at + 1]?.fromMs ?? lastMs);
    return from < to ? [{ zone, fromMs: from, toMs: to }] : [];
  });
}
