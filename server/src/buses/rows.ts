import type { Customer } from '@ridewatch/contract/auth';
import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { type Bus, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { sql } from 'kysely';
import { passingBuses } from '../access/passing.ts';
import { freeFrom } from '../access/unit-assignments.ts';
import {
  isKnownBus,
  isOfVisibleClient,
  isOwnDay,
  isVisibleBus,
  lastOwnDay,
} from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { isSame } from '../core/refuse-unseen.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt, settingsOn } from '../days/bus-settings.ts';
import { cameraStateOf } from '../fetching/camera-state.ts';

interface CameraRow {
  readonly id: number;
  readonly name: string;
  readonly stream_id: string;
  readonly live: boolean;
  readonly enabled: boolean;
  readonly status: 'online' | 'offline' | null;
  readonly door: number | null;
}

/** A bus in the list and on its own page. */
export interface BusRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'VMS' | 'COUNTER';
  readonly timezone: string;
  readonly gps_trackable: boolean;
  readonly clients: Customer[];
  /** On the day on which it passes to other customers: their first day, and the customers until then. */
  readonly passes: { readonly from: string; readonly until_then: readonly Customer[] } | null;
  readonly group: BusRoute | null;
  readonly terminal_stop_id: number | null;
  readonly device_id: string | null;
  readonly last_seen_at: Date | null;
  /** Only of a bus that is the user's now. */
  readonly lacksUnit: boolean;
  /** When the last unit left a bus that has none; null where none ever did. */
  readonly unitLeftAt: Date | null;
  readonly cameras: CameraRow[];
  /** The user's last day of a bus that has passed to another customer; null: it is the user's now. */
  readonly lastOwnDay: string | null;
}

/**
 * The visible buses of the fleet with their settings on a day, in one statement, in natural order of names.
 * A bus by its id is read also after it was taken out of the fleet, and after it has passed to another customer.
 * @param nowMs ms since 1970 UTC
 * @param day `YYYY-MM-DD`; undefined: the settings of the moment
 */
export async function listBusRows(
  db: Db,
  viewer: Viewer,
  nowMs: number,
  { only, day }: { only?: number; day?: string | undefined } = {},
): Promise<BusRow[]> {
  const bus = sql.ref<number>('workplaces.id');
  const settings =
    day === undefined
      ? settingsAt(bus, sql`${new Date(nowMs)}::timestamptz`)
      : settingsOn(bus, sql`${day}::date`);
  const isPresent = isVisibleBus(viewer, bus);
  const isOwn = day === undefined ? isPresent : isOwnDay(viewer, bus, sql`${day}::date`);
  const isWanted =
    only === undefined
      ? sql`${isPresent} and retired_at is null`
      : sql`${isKnownBus(viewer, bus)} and workplaces.id = ${only}`;
  // Cameras and customers are read for all buses together: for each bus by itself, 5,000 buses took ten times as long.
  const { rows } = await sql<BusRow>`
    with bus as materialized (
      select workplaces.id, name, description, type, gps_trackable,
        settings.timezone, settings.terminal_stop_id, ${isPresent} as is_present,
        case when not ${isPresent} then ${lastOwnDay(viewer, bus)} end as last_own_day,
        case when ${isOwn} then settings.group_id end as group_id
      from workplaces cross join lateral ${settings} as settings
      where ${isWanted}
    ), of_customers as (
      select workplace_id, ${customersAsJson} as clients
      from workplace_clients join clients as c on c.id = client_id
      where workplace_id in (select id from bus) group by workplace_id
    ), passing as (
      select workplace_id, json_build_object('from', from_day,
          'until_then', coalesce(${customersAsJson} filter (where c.id is not null), '[]')) as passes
      from ${passingBuses(nowMs)} as passing left join clients as c on c.id = any(client_ids)
      where workplace_id in (select id from bus) group by workplace_id, from_day
    ), route as materialized (
      select id, json_build_object('id', id, 'name', name, 'client_id', client_id,
        'deleted', deleted, 'type_calculation', type_calculation) as route
      from route_groups where not deleted and id in (select group_id from bus)
        and ${isOfVisibleClient(viewer, sql.ref('client_id'))}
    ), with_cameras as (
      select workplace_id, json_agg(json_build_object('id', id, 'name', name, 'stream_id', stream_id,
          'live', live, 'enabled', enabled, 'status', status, 'door', door)
          order by stream_id collate natural_ru) as cameras
      from cameras where workplace_id in (select id from bus) group by workplace_id
    )
    select bus.id, bus.name, description, type, gps_trackable, timezone,
      case when route.id is not null then terminal_stop_id end as terminal_stop_id,
      last_own_day as "lastOwnDay", device_id,
      case when is_present then last_seen_at end as last_seen_at,
      is_present and units.id is null as "lacksUnit",
      case when units.id is null then nullif(${freeFrom(sql.ref('bus.id'))}, '-infinity') end as "unitLeftAt",
      coalesce(clients, '[]') as clients, passes, route as group,
      coalesce(cameras, '[]') as cameras
    from bus
    left join units on units.workplace_id = bus.id
    left join of_customers on of_customers.workplace_id = bus.id
    left join passing on passing.workplace_id = bus.id
    left join route on route.id = bus.group_id
    left join with_cameras on with_cameras.workplace_id = bus.id
    order by bus.name collate natural_ru, bus.id`.execute(db);
  return rows;
}

// Of the rows `c` of clients.
const customersAsJson = sql`json_agg(json_build_object('id', c.id, 'name', c.name, 'patronymic', c.patronymic,
  'surname', c.surname, 'status', c.status, 'enabled', c.enabled) order by c.id)`;

/** The answer of a bus: only customers that the user may know, the unit's id only for administrators. */
export function busOf(row: BusRow, viewer: Viewer, nowMs: number): Bus {
  const {
    device_id,
    clients,
    passes,
    cameras,
    last_seen_at,
    lacksUnit,
    unitLeftAt,
    terminal_stop_id: _,
    lastOwnDay,
    ...rest
  } = row;
  const speaks = last_seen_at !== null && nowMs - last_seen_at.getTime() < SILENT_AFTER_MS;
  const idsOf = (some: readonly Customer[]) => knownClients(some, viewer).map(({ id }) => id);
  const [present, former] = [idsOf(clients), idsOf(passes?.until_then ?? [])];
  return {
    ...rest,
    clients: present,
    // A user who may know none of those that come or go is told nothing.
    passes: passes && !isSame(former, present) ? { from: passes.from, until_then: former } : null,
    group_device_id: viewer.role === 'ADMIN' ? device_id : null,
    without_unit: lacksUnit ? { since: unitLeftAt?.toISOString() ?? null } : null,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    cameras: cameras.map((camera) => ({
      ...camera,
      ...cameraStateOf(camera, speaks),
      liveurl:
        camera.live && lastOwnDay === null && row.type === 'VMS' ? `/api/live/${camera.id}` : null,
    })),
  };
}

/** All customers, by id, for administrators: those without buses, too. */
export async function listCustomers(db: Db): Promise<Customer[]> {
  return db
    .selectFrom('clients')
    .select(['id', 'name', 'patronymic', 'surname', 'status', 'enabled'])
    .orderBy('id')
    .execute();
}

/** The customers of these buses as headings, only for users of several customers. */
export function headingsOf(rows: readonly BusRow[], viewer: Viewer): Customer[] {
  if (viewer.clientIds !== 'all' && viewer.clientIds.length < 2) return [];
  const known = rows.flatMap(({ clients, passes }) =>
    knownClients([...clients, ...(passes?.until_then ?? [])], viewer),
  );
  return [...new Map(known.map((client) => [client.id, client])).values()];
}

function knownClients(clients: readonly Customer[], { clientIds }: Viewer): Customer[] {
  return clients.filter(({ id }) => clientIds === 'all' || clientIds.includes(id));
}
