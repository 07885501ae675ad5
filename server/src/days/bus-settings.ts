// The settings of a bus are rows that begin on a local day. The newest row that began on or before a day is valid on
// it. The first row is also valid before its day, because a bus needs a zone on every day that a user asks for. A bus
// without rows has the fallback zone and no route, and its unit counts (docs/decisions/037-valid-on-a-day.md).
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { askedDays } from './bound-days.ts';
import type { CountSource, DayOfBus } from './bus-days.ts';
import { lockBuses } from './lock-buses.ts';

/** The settings of a bus from a local day on, until its next ones are valid. */
export interface BusSettings {
  readonly group_id: number | null;
  readonly timezone: string;
  readonly terminal_stop_id: number | null;
  /** The counter of its people: its unit, or a program that looks at the video. */
  readonly count_source: CountSource;
}

/**
 * The settings of a bus that are valid on a local day, as a subquery of one row with the columns of BusSettings:
 * `from workplaces cross join lateral ${settingsOn(sql.ref('workplaces.id'), day)} as settings`.
 * @param busId a bigint; qualify a column with its table
 * @param day a date; use `settingsAt` for a timestamptz, which a cast would turn into a day of the session's zone
 */
export function settingsOn(busId: RawBuilder<number>, day: RawBuilder<string>) {
  return newestOf(busId, sql`own.valid_from <= ${day}`);
}

/**
 * The settings of a bus that are valid at a moment, as a subquery like that of `settingsOn`. A row begins with its day
 * in its own zone, as in `listZoneSpans`.
 * @param busId a bigint; qualify a column with its table
 * @param moment a timestamptz
 */
export function settingsAt(busId: RawBuilder<number>, moment: RawBuilder<Date>) {
  return newestOf(busId, sql`own.valid_from <= (${moment} at time zone own.timezone)::date`);
}

/** The zone at the date line where the day is the earliest, ms after UTC. */
const LATEST_ZONE_MS = -12 * 3_600_000;

/** The earliest local day, `YYYY-MM-DD`, that any zone has at a moment. @param momentMs ms since 1970 UTC */
export function earliestDayAt(momentMs: number): string {
  return new Date(momentMs + LATEST_ZONE_MS).toISOString().slice(0, 10);
}

/**
 * The local day of a bus at a moment, as SQL.
 * @param busId as above
 * @param momentMs ms since 1970 UTC
 */
export function localDayAt(busId: RawBuilder<number>, momentMs: number): RawBuilder<string> {
  const moment = sql<Date>`${new Date(momentMs)}::timestamptz`;
  return sql<string>`(
    select (${moment} at time zone timezone)::date from ${settingsAt(busId, moment)} as present)`;
}

// The left join gives a row for a bus without settings. The limit stops a backward scan of the primary key at the first
// row that has begun.
function newestOf(busId: RawBuilder<number>, hasBegun: RawBuilder<boolean>) {
  return sql<BusSettings>`(
    select group_id, coalesce(timezone, ${FALLBACK_ZONE}) as timezone, terminal_stop_id,
      coalesce(count_source, 'unit') as count_source
    from (values (true)) as always (is_there)
    left join lateral (
      select own.* from workplace_settings as own
      where own.workplace_id = ${busId} and (${hasBegun} or own.valid_from = (
        select min(each.valid_from) from workplace_settings as each where each.workplace_id = ${busId}))
      order by own.valid_from desc limit 1
    ) as newest on true
  )`;
}

/**
 * The settings of a bus that are valid on a local day.
 * @param day `YYYY-MM-DD`
 */
export async function findSettingsOn(db: Db, busId: number, day: string): Promise<BusSettings> {
  return readOne(db, settingsOn(sql`${busId}::bigint`, sql`${day}::date`));
}

/**
 * The settings of a bus that are valid at a moment.
 * @param momentMs ms since 1970 UTC
 */
export async function findSettingsAt(
  db: Db,
  busId: number,
  momentMs: number,
): Promise<BusSettings> {
  const moment = sql<Date>`${new Date(momentMs)}::timestamptz`;
  return readOne(db, settingsAt(sql`${busId}::bigint`, moment));
}

/** The routes of buses on local days, by bus. @param days some hundred at most, each bus once */
export async function listRoutesOn(
  db: Db,
  days: readonly DayOfBus[],
): Promise<ReadonlyMap<number, number | null>> {
  const { rows } = await sql<{ busId: number; group_id: number | null }>`
    select workplace_id as "busId", group_id from ${askedDays(days)}
    cross join lateral ${settingsOn(sql.ref('asked.workplace_id'), sql.ref('asked.day'))} as settings`.execute(
    db,
  );
  return new Map(rows.map(({ busId, group_id }) => [busId, group_id]));
}

async function readOne(db: Db, subquery: RawBuilder<BusSettings>): Promise<BusSettings> {
  const { rows } = await sql<BusSettings>`select * from ${subquery} as settings`.execute(db);
  const [settings] = rows;
  if (settings === undefined) throw new Error('The settings subquery returned no row.');
  return settings;
}

/** The buses that are, were or will be on a route, as a subquery with the column `id`. */
export function everOnRoute(routeId: number) {
  return sql<{ id: number }>`(
    select distinct workplace_id as id from workplace_settings where group_id = ${routeId})`;
}

/**
 * The periods of buses on a route from a local day on, as a subquery: `bus`, `first_day`, and `until`, the day after the
 * last one (null: still).
 * @param from `YYYY-MM-DD`
 */
export function periodsOnRoute(routeId: number, from: string) {
  return sql<{ bus: number; first_day: string; until: string | null }>`(
    select workplace_id as bus, greatest(began, ${from}::date) as first_day, until
    from (
      select workplace_id, group_id,
        case when row_number() over periods = 1 then '-infinity'::date else valid_from end as began,
        lead(valid_from) over periods as until
      from workplace_settings
      where workplace_id in (select id from ${everOnRoute(routeId)} as bus)
      window periods as (partition by workplace_id order by valid_from)
    ) as settings
    where group_id = ${routeId} and (until is null or until > ${from}::date)
  )`;
}

/**
 * The buses that are on a route at a moment, by id.
 * @param momentMs ms since 1970 UTC
 */
export async function listBusesOfRoute(
  db: Db,
  routeId: number,
  momentMs: number,
): Promise<{ id: number; timezone: string }[]> {
  const moment = sql<Date>`${new Date(momentMs)}::timestamptz`;
  const { rows } = await sql<{ id: number; timezone: string }>`
    select bus.id, settings.timezone
    from ${everOnRoute(routeId)} as bus
    cross join lateral ${settingsAt(sql.ref('bus.id'), moment)} as settings
    where settings.group_id = ${routeId}
    order by bus.id`.execute(db);
  return rows;
}

/**
 * The buses that are on a route at a moment, as a subquery with the column `workplace_id`, for many routes at once.
 * @param routeId a bigint; qualify a column with its table
 * @param moment a timestamptz
 */
export function presentOnRoute(routeId: RawBuilder<unknown>, moment: RawBuilder<Date>) {
  return sql`(
    select workplace_id from (
      select distinct on (workplace_id) workplace_id, group_id from workplace_settings
      where valid_from <= (${moment} at time zone timezone)::date
        and workplace_id in (select workplace_id from workplace_settings as ever
          where ever.group_id = ${routeId})
      order by workplace_id, valid_from desc
    ) as newest where group_id = ${routeId}
  )`;
}

/**
 * All settings of a bus, as a subquery with `valid_from`, `timezone`, `count_source` and `group_id`.
 * @param busId a bigint; qualify a column with its table
 */
export function everySettings(busId: RawBuilder<unknown>) {
  return sql`(
    select valid_from, timezone, count_source, group_id from workplace_settings as own
    where own.workplace_id = ${busId}
  )`;
}

/** Settings of a bus that stay as they are until the transaction ends. */
export interface LockedSettings {
  /** The bus's present local day, `YYYY-MM-DD`. */
  readonly today: string;
  /** The local day of the change. */
  readonly day: string;
  /** The last day that has begun on which the change holds: other settings may follow. `day` while that is to come. */
  readonly until: string;
  /** The settings that are valid on it. */
  readonly before: BusSettings;
}

/**
 * Locks the settings of a bus until the transaction ends, and reads those that are valid on the day of a change.
 * @param nowMs ms since 1970 UTC
 * @param validFrom the local day; the bus's present one when not given
 */
export async function lockBusSettings(
  tx: Tx,
  busId: number,
  nowMs: number,
  validFrom: string | undefined,
): Promise<LockedSettings> {
  const locked = (await lockSettingsOf(tx, [{ busId, validFrom }], nowMs)).get(busId);
  if (locked === undefined) throw new Error('The settings subquery returned no row.');
  return locked;
}

/** Locks and reads the settings of several buses, as `lockBusSettings`. @param buses some hundred at most */
export async function lockSettingsOf(
  tx: Tx,
  buses: readonly { readonly busId: number; readonly validFrom: string | undefined }[],
  nowMs: number,
): Promise<ReadonlyMap<number, LockedSettings>> {
  const ids = buses.map(({ busId }) => busId);
  await lockBuses(tx, ids);
  const bus = sql.ref<number>('bus.id');
  const days = buses.map(({ validFrom }) => validFrom ?? null);
  const { rows } = await sql<
    BusSettings & { busId: number; today: string; day: string; until: string }
  >`
    select bus.id as "busId", today, day, until, settings.*
    from unnest(${ids}::bigint[], ${days}::date[]) as bus (id, asked)
    cross join lateral (select ${localDayAt(bus, nowMs)} as today) as present
    cross join lateral (select coalesce(asked, today) as day) as chosen
    cross join lateral (
      select greatest(day, least(today, min(valid_from) - 1)) as until
      from workplace_settings where workplace_id = bus.id and valid_from > day) as span
    cross join lateral ${settingsOn(bus, sql.ref('day'))} as settings`.execute(tx);
  return new Map(
    rows.map(({ busId, today, day, until, ...before }) => [busId, { today, day, until, before }]),
  );
}

/** Deletes all settings of buses that are deleted. */
export async function deleteBusSettings(tx: Tx, busIds: readonly number[]): Promise<void> {
  await sql`delete from workplace_settings where workplace_id = any(${[...busIds]}::bigint[])`.execute(
    tx,
  );
}

/** Settings of a bus from a local day on. */
export interface SettingsFrom extends DayOfBus {
  readonly settings: BusSettings;
}

/**
 * Writes settings of buses from local days on. Earlier days and later settings stay as they are. The caller brings the
 * hours up to date: see counts/settings.ts.
 * @param changes at least one, some hundred at most, each bus once
 */
export async function writeBusSettings(tx: Db, changes: readonly SettingsFrom[]): Promise<void> {
  await tx
    .insertInto('workplace_settings')
    .values(
      changes.map(({ busId, day, settings }) => ({
        ...{ workplace_id: busId, valid_from: day },
        ...settings,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workplace_id', 'valid_from']).doUpdateSet(({ ref }) => ({
        group_id: ref('excluded.group_id'),
        timezone: ref('excluded.timezone'),
        terminal_stop_id: ref('excluded.terminal_stop_id'),
        count_source: ref('excluded.count_source'),
      })),
    )
    .execute();
}

/**
 * Takes buses off routes in settings that begin after a day: it has no records yet, nothing is rebuilt. Each bus once.
 * @param isLeft of the columns of a bus's and a route's id
 * @returns the buses that were on one of them
 */
export async function leaveRoutesAfter(
  tx: Tx,
  days: readonly DayOfBus[],
  isLeft: (busId: RawBuilder<unknown>, routeId: RawBuilder<unknown>) => RawBuilder<boolean>,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    update workplace_settings as own set group_id = null, terminal_stop_id = null
    from ${askedDays(days)}
    where own.workplace_id = asked.workplace_id and own.valid_from > asked.day
      and own.group_id is not null and ${isLeft(sql.ref('own.workplace_id'), sql.ref('own.group_id'))}
    returning own.workplace_id as id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
