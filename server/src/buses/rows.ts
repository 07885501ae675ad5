import type { Customer } from '@ridewatch/contract/auth';
import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { type Bus, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { sql } from 'kysely';
import { isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
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
  readonly group: BusRoute | null;
  readonly terminal_stop_id: number | null;
  readonly device_id: string | null;
  readonly last_seen_at: Date | null;
  readonly cameras: CameraRow[];
}

/**
 * The visible buses with their settings on a day, in one statement, in natural order of names.
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
  const { rows } = await sql<BusRow>`
    select workplaces.id, workplaces.name, workplaces.description, workplaces.type, gps_trackable,
      settings.timezone, settings.terminal_stop_id,
      units.device_id, units.last_seen_at,
      (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'patronymic', c.patronymic,
          'surname', c.surname, 'status', c.status, 'enabled', c.enabled) order by c.id), '[]')
        from workplace_clients as wc join clients as c on c.id = wc.client_id
        where wc.workplace_id = workplaces.id) as clients,
      case when groups.id is null then null else jsonb_build_object('id', groups.id, 'name', groups.name,
        'client_id', groups.client_id, 'deleted', groups.deleted, 'type_calculation', groups.type_calculation)
      end as group,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'stream_id', stream_id,
          'live', live, 'enabled', enabled, 'status', status, 'door', door)
          order by stream_id collate natural_ru), '[]')
        from cameras where cameras.workplace_id = workplaces.id) as cameras
    from workplaces
    left join units on units.workplace_id = workplaces.id
    cross join lateral ${settings} as settings
    left join route_groups as groups on groups.id = settings.group_id and not groups.deleted
    where ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
      and ${only === undefined ? sql`true` : sql`workplaces.id = ${only}`}
    order by workplaces.name collate natural_ru, workplaces.id`.execute(db);
  return rows;
}

/** The answer of a bus: only customers that the user may know, the unit's id only for administrators. */
export function busOf(row: BusRow, viewer: Viewer, nowMs: number): Bus {
  const { device_id, clients, cameras, last_seen_at, terminal_stop_id: _, ...rest } = row;
  const speaks = last_seen_at !== null && nowMs - last_seen_at.getTime() < SILENT_AFTER_MS;
  return {
    ...rest,
    clients: knownClients(clients, viewer).map(({ id }) => id),
    group_device_id: viewer.role === 'ADMIN' ? device_id : null,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    cameras: cameras.map((camera) => ({
      ...camera,
      ...cameraStateOf(camera, speaks),
      liveurl: camera.live && row.type === 'VMS' ? `/api/live/${camera.id}` : null,
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
  const known = rows.flatMap((row) => knownClients(row.clients, viewer));
  return [...new Map(known.map((client) => [client.id, client])).values()];
}

function knownClients(clients: readonly Customer[], { clientIds }: Viewer): Customer[] {
  return clients.filter(({ id }) => clientIds === 'all' || clientIds.includes(id));
}
