import type * as contract from '@ridewatch/contract/admin-buses';
import { MOVING_MS, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { QueryOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName, isBusOfClient, ownsToday } from '../access/client.ts';
import { passingBuses } from '../access/passing.ts';
import { isOfVisibleClient, isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import { isSame } from '../core/refuse-unseen.ts';
import type { Viewer } from '../core/viewer.ts';
import { everySettings, settingsAt } from '../days/bus-settings.ts';
import { isMissed, shownStateOf } from '../fetching/bus-state.ts';
import { contains, equals, isWhole, type Page, readPage, wireOf } from './page.ts';

type Bus = contract.AdminBus;

/** A bus as the database has it. */
type Row = Omit<Bus, 'state' | 'retired_at' | 'created_at' | 'unit'> & {
  readonly retired_at: Date | null;
  readonly created_at: Date;
  readonly unit: { readonly id: number; readonly device_id: string } | null;
  readonly last_seen_at: Date | null;
  readonly last_moved_at: Date | null;
  /** Of a silent one; see docs/glossary.md. */
  readonly missed: boolean;
};

const columns = {
  name: sql`workplaces.name collate natural_ru`,
  group: sql`(select name collate natural_ru from route_groups where id = settings.group_id)`,
  // Null where neither is known.
  places: sql`coalesce(capacity_seated + capacity_standing, capacity_seated, capacity_standing)`,
  device: sql`units.device_id collate natural_ru`,
  last_seen_at: sql`units.last_seen_at`,
} as const;

// Under the customer that a row shows first: one that owns the day, if there is any.
function columnOf(by: keyof typeof columns | 'client', nowMs: number): RawBuilder<unknown> {
  if (by !== 'client') return columns[by];
  const least = (isWanted: RawBuilder<unknown>) => sql`(
    select min(${clientName} collate natural_ru) from bus_owners as allowed
    join clients on clients.id = allowed.client_id
    where allowed.workplace_id = workplaces.id and ${isWanted})`;
  return sql`coalesce(${least(ownsToday(nowMs))}, ${least(sql`allowed.to_day = 'infinity'`)})`;
}

// Customers and cameras are read for all wanted buses together: for each bus by itself, 5,000 buses take several times
// as long. `which` follows the id of a bus: `= 5`, `in (…)`.
function busRows(viewer: Viewer, nowMs: number, which: RawBuilder<unknown>) {
  const bus = sql.ref<number>('workplaces.id');
  const settings = settingsAt(bus, sql`${new Date(nowMs)}::timestamptz`);
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql`
    select bus.*, coalesce(of_clients.clients, '[]') as clients, passing.passes,
      coalesce(with_cameras.cameras, '[]') as cameras,
      (select max(own.valid_from) from ${everySettings(sql.ref('bus.id'))} as own
        where own.valid_from <= (${now} at time zone bus.timezone)::date) as valid_from
    from (
      select workplaces.id, workplaces.name, description, type, capacity_seated, capacity_standing,
        gps_trackable, count_passengers_inside, bus_calculation, config, retired_at, workplaces.created_at,
        settings.timezone, settings.count_source,
        case when route_groups.id is not null then jsonb_build_object('id', route_groups.id,
          'name', route_groups.name) end as "group",
        case when units.id is not null then jsonb_build_object('id', units.id,
          'device_id', units.device_id) end as unit,
        last_seen_at, last_moved_at, ${isMissed(viewer, nowMs)} as missed
      from workplaces
      cross join lateral ${settings} as settings
      left join route_groups on route_groups.id = settings.group_id
        and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
      left join units on units.workplace_id = workplaces.id
      where ${isVisibleBus(viewer, bus)} and workplaces.id ${which}
    ) as bus
    left join (${clientsOfBuses(viewer, which)}) as of_clients on of_clients.workplace_id = bus.id
    left join (
      select workplace_id, jsonb_build_object('from', from_day, 'until_then',
        coalesce(${namedClients} filter (where clients.id is not null), '[]')) as passes
      from ${passingBuses(nowMs)} as passing
      left join clients on clients.id = any(client_ids)
        and ${isOfVisibleClient(viewer, sql.ref('clients.id'))}
      where workplace_id ${which} group by workplace_id, from_day
    ) as passing on passing.workplace_id = bus.id
    left join (
      select workplace_id, jsonb_agg(jsonb_build_object('id', id, 'name', name, 'enabled', enabled,
        'status', status) order by stream_id collate natural_ru) as cameras
      from cameras where workplace_id ${which} group by workplace_id
    ) as with_cameras on with_cameras.workplace_id = bus.id`;
}

const namedClients = sql`jsonb_agg(jsonb_build_object('id', clients.id, 'name', ${clientName})
  order by ${clientName} collate natural_ru, clients.id)`;

function clientsOfBuses(viewer: Viewer, which: RawBuilder<unknown>) {
  return sql<{ workplace_id: number; clients: Named[] }>`
    select workplace_id, ${namedClients} as clients
    from workplace_clients join clients on clients.id = client_id
    where ${isOfVisibleClient(viewer, sql.ref('clients.id'))} and workplace_id ${which}
    group by workplace_id`;
}

/** The customers of buses that the user sees, by name; a bus without one is left out. */
export async function listClientsOfBuses(
  db: Db,
  viewer: Viewer,
  busIds: readonly number[],
): Promise<{ id: number; clients: Named[] }[]> {
  const which = sql`= any(${[...busIds]}::bigint[])`;
  const { rows } = await clientsOfBuses(viewer, which).execute(db);
  return rows.map(({ workplace_id, clients }) => ({ id: workplace_id, clients }));
}

function isInState(
  viewer: Viewer,
  state: QueryOf<typeof contract.listAdminBuses>['state'],
  nowMs: number,
): RawBuilder<boolean> {
  if (state === undefined) return sql<boolean>`true`;
  if (state === 'none') return sql<boolean>`units.id is null`;
  const isHeard = sql`coalesce(last_seen_at > ${new Date(nowMs - SILENT_AFTER_MS)}, false)`;
  const moves = sql`coalesce(last_moved_at > ${new Date(nowMs - MOVING_MS)}, false)`;
  if (state === 'silent' || state === 'off') {
    const isFound = sql`${isMissed(viewer, nowMs)} = ${state === 'silent'}`;
    return sql<boolean>`units.id is not null and not ${isHeard} and ${isFound}`;
  }
  return sql<boolean>`${isHeard} and ${moves} = ${state === 'moving'}`;
}

/** One page of the visible buses, by name unless asked otherwise: those of the very name that is searched come first. */
export async function listBuses(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listAdminBuses>,
  nowMs: number,
): Promise<Page<Bus>> {
  const ofClient = isBusOfClient(sql.ref('workplaces.id'), query.clientId, nowMs);
  const cameras = sql`(select string_agg(cameras.name, ' ') from cameras
    where cameras.workplace_id = workplaces.id)`;
  // The settings of a bus are found for each bus by itself.
  const needsRoute = query.groupId !== undefined || query.sortBy === 'group';
  const bus = sql.ref<number>('workplaces.id');
  const settings = settingsAt(bus, sql`${new Date(nowMs)}::timestamptz`);
  const rows = sql`
    select workplaces.id, ${columnOf(query.sortBy ?? 'name', nowMs)} as sort_key,
      ${isWhole(query.search, sql`workplaces.name`)} as is_named
    from workplaces left join units on units.workplace_id = workplaces.id
    ${needsRoute ? sql`cross join lateral ${settings} as settings` : sql``}
    where ${isVisibleBus(viewer, bus)} and (retired_at is not null) = ${query.retired ?? false}
      and ${ofClient} and ${isInState(viewer, query.state, nowMs)}
      and ${equals(sql`settings.group_id`, query.groupId)}
      and ${contains(query.search, sql`workplaces.name`, sql`units.device_id`, cameras)}`;
  const by = query.sortBy ? sql`sort_key` : sql`is_named desc, sort_key`;
  const page = await readPage<Row>(db, rows, query, { by }, (ids) =>
    busRows(viewer, nowMs, sql`in ${ids}`),
  );
  return { ...page, items: page.items.map((row) => busOf(row, nowMs)) };
}

/** A visible bus as in answers. @throws AppError not_found */
export async function readBus(
  db: Db,
  viewer: Viewer,
  { id }: { readonly id: number },
  nowMs: number,
): Promise<Bus> {
  const { rows } = await busRows(viewer, nowMs, sql`= ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return busOf(wireOf(row), nowMs);
}

function busOf(
  { last_seen_at, last_moved_at, missed, unit, passes, ...row }: ReturnType<typeof wireOf<Row>>,
  nowMs: number,
): Bus {
  const date = (text: string | null): Date | null => (text === null ? null : new Date(text));
  const moments = { last_seen_at: date(last_seen_at), last_moved_at: date(last_moved_at) };
  return {
    ...row,
    // A user who may know none of the customers that come or go is told nothing.
    passes: passes && !isSame(passes.until_then, row.clients) ? passes : null,
    unit: unit && { ...unit, last_seen_at },
    state: unit && shownStateOf({ ...moments, missed }, nowMs),
  };
}

/** Most rows of settings in an answer, the latest. */
const MOST_SETTINGS = 500;

/** The settings of a bus with the routes that the user may know, the latest first. */
export async function listSettings(
  db: Db,
  viewer: Viewer,
  busId: number,
): Promise<contract.BusSettings[]> {
  const { rows } = await sql<contract.BusSettings>`
    select valid_from, timezone, count_source,
      case when route_groups.id is not null then jsonb_build_object('id', route_groups.id,
        'name', route_groups.name) end as "group"
    from ${everySettings(sql`${busId}::bigint`)} as settings
    left join route_groups on route_groups.id = group_id
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    order by valid_from desc limit ${MOST_SETTINGS}`.execute(db);
  return rows;
}

/** The customers of a bus that the user may not know; their names stay unknown, too. */
export async function countForeignClients(db: Db, viewer: Viewer, busId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from workplace_clients where workplace_id = ${busId}
      and not ${isOfVisibleClient(viewer, sql.ref('client_id'))}`.execute(db);
  return rows[0]?.count ?? 0;
}
