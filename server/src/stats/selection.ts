import { countDays } from '@ridewatch/contract/day';
// Selects the days and buses of a statistic.
import { MAX_BUS_IDS, MAX_BUSES_OF_REPORT, MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import { type RawBuilder, sql } from 'kysely';
import { findKnownBusIds } from '../access/own-days.ts';
import { isOwnDay, type Visible } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

/** Local days, both ends included, `YYYY-MM-DD`; only some weekdays unless undefined, 1 = Monday. */
export interface StatDays {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly weekdays: readonly number[] | undefined;
}

/** Some buses that the user has or had, or all of them. */
export type ChosenBuses = Visible<number[]> | 'all';

/** The subject of a statistic. */
export interface Selection {
  readonly viewer: Viewer;
  readonly days: StatDays;
  readonly buses: ChosenBuses;
}

/** The keys of a query that choose days and buses; one value or several. */
interface SelectionQuery {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly workplaces?: number | number[] | undefined;
  readonly dayOfWeek?: string | string[] | undefined;
}

/**
 * Reads a selection from a query.
 * @param isByBus one series a bus: then at most 200 buses may be chosen
 * @throws AppError invalid_request for a reversed or too long range, too_many_buses, not_found for a foreign bus
 */
export async function readSelection(
  db: Db,
  viewer: Viewer,
  query: SelectionQuery,
  isByBus: boolean,
): Promise<Selection> {
  checkDays(query);
  const ids = listOf(query.workplaces);
  refuseTooMany(ids?.length ?? 0, isByBus ? MAX_BUSES_OF_REPORT : MAX_BUS_IDS);
  const weekdays = listOf(query.dayOfWeek)?.map(Number);
  const { dateFrom, dateTo } = query;
  return {
    viewer,
    days: { dateFrom, dateTo, weekdays },
    buses: ids === undefined ? 'all' : await findKnownBusIds(db, viewer, ids),
  };
}

/** @throws AppError too_many_buses, which names the limit */
export function refuseTooMany(buses: number, most: number): void {
  if (buses <= most) return;
  const message = `At most ${most} buses may be chosen here, not ${buses}. Choose fewer, or leave \`workplaces\` out for all.`;
  throw new AppError('too_many_buses', message, { field: 'workplaces' });
}

function checkDays({ dateFrom, dateTo }: SelectionQuery): void {
  const days = countDays(dateFrom, dateTo);
  if (days < 1) throw new AppError('invalid_request', 'is before dateFrom', { field: 'dateTo' });
  if (days <= MAX_STAT_DAYS) return;
  throw new AppError('invalid_request', 'is more than 5 years after dateFrom', { field: 'dateTo' });
}

/** The SQL condition for the days of a selection. @param day the column */
export function isOfDays(
  { dateFrom, dateTo, weekdays }: StatDays,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const range = sql<boolean>`${day} between ${dateFrom}::date and ${dateTo}::date`;
  if (weekdays === undefined) return range;
  return sql<boolean>`(${range} and extract(isodow from ${day}) = any(${[...weekdays]}::int[]))`;
}

/**
 * The SQL condition for days of the buses of a selection that belong to customers of the user.
 * @param busId the column, with its table
 * @param day the column, a date
 */
export function isOfBuses(
  { viewer, buses }: Selection,
  busId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const isOwn = isOwnDay(viewer, busId, day);
  if (buses === 'all') return isOwn;
  return sql<boolean>`(${busId} = any(${[...buses]}::bigint[]) and ${isOwn})`;
}

/** The SQL condition for sums of the user's customers. @param clientId the column */
export function isOfClients(
  { viewer: { clientIds } }: Selection,
  clientId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`${clientId} = any(${[...clientIds]}::bigint[])`;
}

function listOf<T extends number | string>(value: T | T[] | undefined): T[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}
