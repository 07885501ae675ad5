// Tells whether days of a bus are the user's, for calls about ranges of days (docs/decisions/088-owned-days.md).
import { type DayRange, dayOf } from '@ridewatch/contract/day';
import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { askedDays } from '../days/bound-days.ts';
import {
  boundsOfDay,
  type DayOfBus,
  listZoneSpans,
  listZonesOf,
  zoneAt,
} from '../days/bus-days.ts';
import type { BusRow } from './bus.ts';
import { isKnownBus, isOwnDay, type Visible } from './visible.ts';

/** A bus that the user has or had. @throws AppError not_found, also for foreign buses */
export async function findKnownBus(db: Db, viewer: Viewer, id: number): Promise<Visible<BusRow>> {
  const bus = await db
    .selectFrom('workplaces')
    .select(['id', 'name', 'type'])
    .where('id', '=', id)
    .where(isKnownBus(viewer, sql.ref('workplaces.id')))
    .executeTakeFirst();
  if (bus === undefined) throw notFound();
  return bus as Visible<BusRow>;
}

/** A bus and local days `YYYY-MM-DD`, both ends included. */
export interface DaysOfBus {
  readonly busId: number;
  readonly from: string;
  readonly to: string;
}

/** Whether all days belong to customers of the user. */
export async function areOwnDays(
  db: Db,
  { clientIds }: Viewer,
  { busId, from, to }: DaysOfBus,
): Promise<boolean> {
  if (clientIds === 'all') return true;
  const { rows } = await sql<{ areOwn: boolean }>`
    select coalesce(range_agg(daterange(nullif(from_day, '-infinity'), nullif(to_day, 'infinity'), '[]'))
      @> daterange(${from}::date, ${to}::date, '[]'), false) as "areOwn"
    from bus_owners
    where workplace_id = ${busId} and client_id = any(${[...clientIds]}::bigint[])`.execute(db);
  return rows[0]?.areOwn ?? false;
}

/**
 * A bus on days that all belong to customers of the user.
 * @throws AppError not_found for a bus that is foreign on all days; invalid_request, which names the field, for one that
 *   is foreign on some of these
 */
export async function findBusOnDays(
  db: Db,
  viewer: Viewer,
  days: DaysOfBus,
  field: string,
): Promise<Visible<BusRow>> {
  const bus = await findKnownBus(db, viewer, days.busId);
  if (await areOwnDays(db, viewer, days)) return bus;
  throw foreignDay(field);
}

/**
 * Refuses local days of buses of which one belongs to none of the user's customers.
 * @param current the cause, where the call says it
 * @throws AppError invalid_request, which names the field
 */
export async function refuseForeignDays(
  db: Db,
  viewer: Viewer,
  days: readonly DayOfBus[],
  field: string,
  current?: object,
): Promise<void> {
  const isOwn = isOwnDay(viewer, sql.ref('asked.workplace_id'), sql.ref('asked.day'));
  const { rows } = await sql`
    select from ${askedDays(days)} where not ${isOwn} limit 1`.execute(db);
  if (rows.length > 0) throw foreignDay(field, current);
}

/**
 * Refuses ranges of local days of buses of which one day belongs to none of the user's customers.
 * @throws AppError invalid_request, which names the field
 */
export async function refuseForeignSpans(
  db: Db,
  { clientIds }: Viewer,
  spans: readonly DaysOfBus[],
  field: string,
): Promise<void> {
  if (clientIds === 'all') return;
  const { rows } = await sql`
    select from unnest(${spans.map(({ busId }) => busId)}::bigint[],
      ${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
      as asked (bus, from_day, to_day)
    where not coalesce((
      select range_agg(daterange(nullif(own.from_day, '-infinity'), nullif(own.to_day, 'infinity'), '[]'))
        @> daterange(asked.from_day, asked.to_day, '[]')
      from bus_owners as own
      where own.workplace_id = asked.bus and own.client_id = any(${[...clientIds]}::bigint[])), false)
    limit 1`.execute(db);
  if (rows.length > 0) throw foreignDay(field);
}

const foreignDay = (field: string, current?: object): AppError =>
  new AppError('invalid_request', 'On this day the bus belonged to others.', { field, current });

/**
 * A bus during a period whose days all belong to customers of the user.
 * @param startMs ms since 1970 UTC, as `endMs`, which is excluded
 * @throws AppError as `findBusOnDays`
 */
export async function findBusDuring(
  db: Db,
  viewer: Viewer,
  busId: number,
  { startMs, endMs }: DayRange,
  field: string,
): Promise<Visible<BusRow>> {
  const zones = await listZoneSpans(db, busId);
  const [from, to] = [startMs, endMs - 1].map((ms) => dayOf(ms, zoneAt(zones, ms)));
  return findBusOnDays(db, viewer, { busId, from: from ?? '', to: to ?? '' }, field);
}

/**
 * A bus with a calculator, on a day that the user sees.
 * @param day `YYYY-MM-DD`
 * @throws AppError not_found, also for foreign buses and days, and for a bus whose calculator is switched off
 */
export async function findCalculatedBus(
  db: Db,
  viewer: Viewer,
  busId: number,
  day: string,
): Promise<Visible<BusRow>> {
  const bus = await findKnownBus(db, viewer, busId);
  if (!(await areOwnDays(db, viewer, { busId, from: day, to: day }))) throw notFound();
  const { bus_calculation: hasCalculator } = await db
    .selectFrom('workplaces')
    .select('bus_calculation')
    .where('id', '=', bus.id)
    .executeTakeFirstOrThrow();
  if (hasCalculator) return bus;
  throw new AppError('not_found', 'The calculator of this bus is switched off (bus_calculation).');
}

/** Buses by id, each once, that the user has or had. @throws AppError not_found when one of them is foreign or missing */
export async function findKnownBusIds(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<number[]>> {
  const buses = await listKnownBuses(db, viewer, ids);
  return buses.map(({ id }) => id).sort((a, b) => a - b) as Visible<number[]>;
}

/** A bus in a list. */
export interface NamedBus {
  readonly id: number;
  readonly name: string;
}

/**
 * Buses that the user has or had, by name, as people sort.
 * @param ids all unless given
 * @throws AppError not_found when one of them is foreign or does not exist
 */
export async function listKnownBuses(
  db: Db,
  viewer: Viewer,
  ids?: readonly number[],
): Promise<Visible<NamedBus[]>> {
  const wanted = ids && [...new Set(ids)];
  const buses = await db
    .selectFrom('workplaces')
    .select(['id', 'name'])
    .where(isKnownBus(viewer, sql.ref('workplaces.id')))
    .$if(wanted !== undefined, (query) => query.where(sql<boolean>`id = any(${wanted}::bigint[])`))
    .orderBy(sql`name collate natural_ru`)
    .orderBy('id')
    .execute();
  if (wanted !== undefined && buses.length < wanted.length) throw notFound();
  return buses as Visible<NamedBus[]>;
}

/** Picks the local days of buses that belong to customers of the user, in their order. */
export async function ownDaysAmong<Day extends { readonly busId: number; readonly day: string }>(
  db: Db,
  viewer: Viewer,
  days: readonly Day[],
): Promise<readonly Day[]> {
  if (viewer.clientIds === 'all' || days.length === 0) return days;
  const { rows } = await sql<{ place: number }>`
    select place::int from unnest(${days.map(({ busId }) => busId)}::bigint[],
      ${days.map(({ day }) => day)}::date[]) with ordinality as asked (bus, day, place)
    where ${isOwnDay(viewer, sql.ref('asked.bus'), sql.ref('asked.day'))}`.execute(db);
  const own = new Set(rows.map(({ place }) => place));
  return days.filter((_, at) => own.has(at + 1));
}

/**
 * The parts of a range of local days that belong to customers of the user, ascending, by bus. Buses without any are left
 * out.
 */
export async function listOwnDays(
  db: Db,
  { clientIds }: Viewer,
  busIds: readonly number[],
  range: DaySpan,
): Promise<Map<number, readonly DaySpan[]>> {
  if (clientIds === 'all') return new Map(busIds.map((id) => [id, [range]]));
  const { rows } = await sql<{ bus: number } & DaySpan>`
    select bus, lower(span) as "dateFrom", upper(span) - 1 as "dateTo"
    from (
      select workplace_id as bus, unnest(
        range_agg(daterange(nullif(from_day, '-infinity'), nullif(to_day, 'infinity'), '[]'))
          * datemultirange(daterange(${range.dateFrom}::date, ${range.dateTo}::date, '[]'))) as span
      from bus_owners
      where workplace_id = any(${[...busIds]}::bigint[]) and client_id = any(${[...clientIds]}::bigint[])
      group by workplace_id
    ) as own
    order by 1, 2`.execute(db);
  const byBus = Map.groupBy(rows, ({ bus }) => bus);
  return new Map(
    [...byBus].map(([bus, own]) => [
      bus,
      own.map(({ dateFrom, dateTo }) => ({ dateFrom, dateTo })),
    ]),
  );
}

/**
 * The periods of buses that belong to customers of the user, by bus, the latest first. A bus that is not in the answer is
 * foreign. It reads the zones of buses that have moved only.
 */
export async function listOwnPeriods(
  db: Db,
  viewer: Viewer,
  busIds: readonly number[],
): Promise<Map<number, readonly DayRange[]>> {
  if (viewer.clientIds === 'all') return new Map(busIds.map((id) => [id, [ALWAYS]]));
  const rows = await db
    .selectFrom('bus_owners')
    .select(['workplace_id', 'from_day', 'to_day'])
    .where(sql<boolean>`workplace_id = any(${[...busIds]}::bigint[])`)
    .where(sql<boolean>`client_id = any(${[...viewer.clientIds]}::bigint[])`)
    .orderBy('from_day', 'desc')
    .execute();
  const moved = rows.filter((row) => row.from_day !== FIRST || row.to_day !== LAST);
  const zones = await listZonesOf(db, [...new Set(moved.map((row) => row.workplace_id))]);
  const periods = new Map<number, DayRange[]>();
  for (const { workplace_id: bus, from_day: from, to_day: to } of rows) {
    const own = zones.get(bus) ?? [];
    const startMs = from === FIRST ? ALWAYS.startMs : boundsOfDay(own, from).startMs;
    const endMs = to === LAST ? ALWAYS.endMs : boundsOfDay(own, to).endMs;
    periods.set(bus, [...(periods.get(bus) ?? []), { startMs, endMs }]);
  }
  return periods;
}

const ALWAYS: DayRange = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
/** The ends of time, as the driver returns them. */
const FIRST = '-infinity';
const LAST = 'infinity';
