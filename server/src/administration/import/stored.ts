// Reads the objects that a table describes, as they are stored: a row is compared with them, and an exported table has
// them.
import type { CustomerStatus } from '@ridewatch/contract/admin-customers';
import type { ImportKind } from '@ridewatch/contract/admin-import';
import type { Role } from '@ridewatch/contract/auth';
import type { BusType } from '@ridewatch/contract/buses';
import type { Named } from '@ridewatch/contract/paging';
import type { ReportLanguage } from '@ridewatch/contract/reports';
import {
  type ProtocolSettingField,
  protocolOf,
  type UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { isVisibleUnit, isVisibleUser } from '../../access/administration.ts';
import { clientName } from '../../access/client.ts';
import { isOfVisibleClient, isVisibleBus } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { settingsAt } from '../../days/bus-settings.ts';
import { type ProtocolSettings, protocolColumns } from '../unit-protocol.ts';
import {
  BUS_TYPES,
  CAMERA_KINDS,
  type Choice,
  PROTOCOLS,
  ROLES,
  STATUSES,
  settingChoices,
  wordOf,
  YES_NO,
} from './words.ts';

export interface StoredCustomer extends Named {
  readonly surname: string | null;
  readonly patronymic: string | null;
  readonly status: z.output<typeof CustomerStatus>;
  readonly enabled: boolean;
}

export interface StoredUser {
  readonly id: number;
  readonly login: string;
  readonly role: Role;
  readonly client: Named | null;
  readonly can_edit: boolean;
}

export interface StoredBus extends Named {
  /** The customers that the user sees, by name. */
  readonly clients: readonly Named[];
  readonly group: Named | null;
  readonly capacity_seated: number | null;
  readonly capacity_standing: number | null;
  readonly unit: string | null;
  readonly timezone: string;
  readonly type: z.output<typeof BusType>;
  readonly description: string | null;
}

export interface StoredUnit extends ProtocolSettings {
  readonly id: number;
  readonly device_id: string;
  readonly bus: Named | null;
  /** Customers of its bus, or the one whose spare unit it is; those that the user sees. */
  readonly clients: readonly Named[];
  /** It is in test mode, or its last test is still being counted. */
  readonly in_test: boolean;
  /** It has sent something and has been in no bus: its first one gets all of that. */
  readonly sent_before: boolean;
  readonly protocol: UnitProtocol | null;
  readonly protocol_id: string | null;
}

export interface StoredCamera extends Named {
  readonly bus: Named;
  /** The first customer of the bus that the user sees. */
  readonly client: string | null;
  readonly stream_id: string;
  readonly door: number | null;
  readonly live: boolean;
  readonly counts: boolean;
  readonly enabled: boolean;
}

/** The stored objects of each kind. */
export interface StoredOf {
  customers: StoredCustomer;
  users: StoredUser;
  buses: StoredBus;
  units: StoredUnit;
  cameras: StoredCamera;
}

const named = (table: string) => sql`case when ${sql.ref(`${table}.id`)} is not null
  then jsonb_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${sql.ref(`${table}.name`)}) end`;

const clientsOf = (viewer: Viewer) => sql`
  select workplace_id, jsonb_agg(jsonb_build_object('id', clients.id, 'name', ${clientName})
    order by ${clientName} collate natural_ru, clients.id) as clients
  from workplace_clients join clients on clients.id = client_id
  where ${isOfVisibleClient(viewer, sql.ref('clients.id'))} group by workplace_id`;

type Read<Kind extends ImportKind> = (
  db: Db,
  viewer: Viewer,
  nowMs: number,
) => Promise<StoredOf[Kind][]>;

/**
 * Reads the objects of a kind that the user sees and that are in use, by name.
 * @param nowMs settings are those of this moment, ms since 1970 UTC
 */
export const readStored: { readonly [Kind in ImportKind]: Read<Kind> } = {
  customers: async (db, viewer) => {
    const { rows } = await sql<StoredCustomer>`
      select id, name, surname, patronymic, status, enabled from clients
      where ${isOfVisibleClient(viewer, sql.ref('clients.id'))}
      order by name collate natural_ru, id`.execute(db);
    return rows;
  },

  users: async (db, viewer) => {
    const { rows } = await sql<StoredUser>`
      select users.id, login, role, can_edit, case when clients.id is not null
        then jsonb_build_object('id', clients.id, 'name', ${clientName}) end as client
      from users left join clients on clients.id = users.client_id
      where ${isVisibleUser(viewer)} order by login collate natural_ru, users.id`.execute(db);
    return rows;
  },

  buses: async (db, viewer, nowMs) => {
    const id = sql.ref<number>('workplaces.id');
    const { rows } = await sql<StoredBus>`
      select workplaces.id, workplaces.name, description, type, capacity_seated, capacity_standing,
        settings.timezone, units.device_id as unit, coalesce(own.clients, '[]') as clients,
        ${named('route_groups')} as "group"
      from workplaces
      cross join lateral ${settingsAt(id, sql`${new Date(nowMs)}::timestamptz`)} as settings
      left join route_groups on route_groups.id = settings.group_id
        and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
      left join units on units.workplace_id = workplaces.id
      left join (${clientsOf(viewer)}) as own on own.workplace_id = workplaces.id
      where retired_at is null and ${isVisibleBus(viewer, id)}
      order by workplaces.name collate natural_ru, workplaces.id`.execute(db);
    return rows;
  },

  units: async (db, viewer) => {
    const { rows } = await sql<StoredUnit>`
      select units.id, device_id, ${named('workplaces')} as bus, ${protocolColumns},
        coalesce(own.clients, case when clients.id is null then '[]' else jsonb_build_array(
          jsonb_build_object('id', clients.id, 'name', ${clientName})) end) as clients,
        test_since is not null or exists (select from test_releases where unit_id = units.id) as in_test,
        units.workplace_id is null and not exists (select from past_assignments where unit_id = units.id)
          and (last_seen_at is not null or exists (select from aside_records where unit_id = units.id)) as sent_before
      from units
      left join workplaces on workplaces.id = units.workplace_id
      left join (${clientsOf(viewer)}) as own on own.workplace_id = units.workplace_id
      left join clients on clients.id = units.owner_id and units.workplace_id is null
      where ${isVisibleUnit(viewer)} order by device_id collate natural_ru, units.id`.execute(db);
    return rows;
  },

  cameras: async (db, viewer) => {
    const { rows } = await sql<StoredCamera>`
      select cameras.id, cameras.name, stream_id, door, cameras.live, counts, cameras.enabled,
        ${named('workplaces')} as bus, own.clients -> 0 ->> 'name' as client
      from cameras join workplaces on workplaces.id = cameras.workplace_id
      left join (${clientsOf(viewer)}) as own on own.workplace_id = workplaces.id
      where retired_at is null and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
      order by workplaces.name collate natural_ru, workplaces.id, stream_id collate natural_ru`.execute(
      db,
    );
    return rows;
  },
};

/** The cells of an object by column; null: empty. */
type Cells = Readonly<Record<string, string | number | null>>;

/** Makes the cells of a stored object in the words of a language. */
export const cellsOf: {
  readonly [Kind in ImportKind]: (stored: StoredOf[Kind], language: ReportLanguage) => Cells;
} = {
  customers: ({ id: _, status, enabled, ...texts }, language) => ({
    ...texts,
    status: wordOf(STATUSES, status, language),
    enabled: wordOf(YES_NO, enabled, language),
  }),
  users: ({ login, role, client, can_edit }, language) => ({
    login,
    role: wordOf(ROLES, role, language),
    client: client?.name ?? null,
    can_edit: wordOf(YES_NO, can_edit, language),
  }),
  buses: ({ unit, ...bus }, language) => ({
    name: bus.name,
    client: bus.clients[0]?.name ?? null,
    group: bus.group?.name ?? null,
    capacity_seated: bus.capacity_seated,
    capacity_standing: bus.capacity_standing,
    places: placesOf(bus),
    device_id: unit,
    timezone: bus.timezone,
    type: wordOf(BUS_TYPES, bus.type, language),
    description: bus.description,
  }),
  units: (
    { id: _, device_id, bus, clients, in_test: __, sent_before: ___, ...spoken },
    language,
  ) => ({
    ...{ device_id, bus: bus?.name ?? null, client: clients[0]?.name ?? null },
    ...protocolCells(spoken, language),
  }),
  cameras: ({ bus, name, stream_id, client, door, ...camera }, language) => ({
    ...{ bus: bus.name, name, stream_id, client, door },
    live: wordOf(CAMERA_KINDS, camera.live, language),
    counts: wordOf(YES_NO, camera.counts, language),
    enabled: wordOf(YES_NO, camera.enabled, language),
  }),
};

type Spoken = Pick<StoredUnit, 'protocol' | 'protocol_id' | ProtocolSettingField>;

// A unit of another protocol has no word for a setting.
function protocolCells({ protocol, protocol_id, ...settings }: Spoken, language: ReportLanguage) {
  const fields = Object.keys(settingChoices) as ProtocolSettingField[];
  const cells = fields.map((field) => {
    const choice: Choice<unknown> = settingChoices[field];
    const isOwn = protocolOf(field) === protocol;
    return [field, isOwn ? wordOf(choice, settings[field], language) : null] as const;
  });
  return {
    ...{ protocol: wordOf(PROTOCOLS, protocol, language), protocol_id },
    ...Object.fromEntries(cells),
  };
}

const placesOf = ({
  capacity_seated,
  capacity_standing,
}: Pick<StoredBus, 'capacity_seated' | 'capacity_standing'>): number | null =>
  capacity_seated === null && capacity_standing === null
    ? null
    : (capacity_seated ?? 0) + (capacity_standing ?? 0);
