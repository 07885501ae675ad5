import type * as contract from '@ridewatch/contract/admin-units';
import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import {
  type Administered,
  asAdministered,
  isVisibleUnit,
  type UnitRow,
} from '../access/administration.ts';
import { findBus } from '../access/bus.ts';
import { clientName, findClient, isBusOfClient } from '../access/client.ts';
import { announceBusChange } from '../buses/announce.ts';
import type { Actor } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { refuseSharedChannels } from './camera-channels.ts';
import { type Changed, changeObject } from './change.ts';
import { lockUnit } from './lock-unit.ts';
import { planMove } from './move-moment.ts';
import { refuseTakenBus } from './move-refusals.ts';
import { lockBusesOfMove, moveUnit } from './move-unit.ts';
import { insertUnits } from './new-units.ts';
import { contains, type Page, readPage, wireOf } from './page.ts';
import { checkDeviceId, refuseTakenUnit } from './unit-ids.ts';
import {
  forgetReadings,
  protocolColumns,
  protocolOfNew,
  protocolRow,
  wantedProtocol,
} from './unit-protocol.ts';

type Unit = contract.AdminUnit;
type Moments =
  | 'last_seen_at'
  | 'assigned_from'
  | 'test_since'
  | 'backlog_from'
  | 'credential_issued_at';
type Row = Omit<Unit, Moments | 'created_at'> & { readonly created_at: Date } & {
  readonly [Moment in Moments]: Date | null;
};

const columns = {
  device_id: sql`device_id collate natural_ru`,
  bus: sql`bus ->> 'name' collate natural_ru`,
  last_seen_at: sql`last_seen_at`,
  firmware: sql`firmware collate natural_ru`,
  clock_offset_ms: sql`abs(clock_offset_ms)`,
  backlog_from: sql`backlog_from`,
} as const;

const named = (table: string, name: RawBuilder<string>) =>
  sql`case when ${sql.ref(`${table}.id`)} is not null
    then jsonb_build_object('id', ${sql.ref(`${table}.id`)}, 'name', ${name}) end`;

const unitRows = (nowMs: number, where: RawBuilder<boolean>) => sql`
  select units.id, device_id, units.enabled, last_seen_at, firmware, clock_offset_ms, backlog_from,
    units.created_at, test_since, ${protocolColumns},
    case when isfinite(assigned_from) then assigned_from end as assigned_from, ${named('workplaces', sql`workplaces.name`)} as bus,
    case when workplaces.id is null then ${named('clients', clientName)} end as client,
    valid.credentials, valid.credential_issued_at,
    (select jsonb_build_object('released', released, 'total', total) from test_releases
      where unit_id = units.id) as releasing
  from units
  left join workplaces on workplaces.id = units.workplace_id
  left join clients on clients.id = units.owner_id
  cross join lateral (
    select count(*)::int as credentials, max(unit_credentials.created_at) as credential_issued_at
    from unit_credentials where unit_id = units.id and revoked_at is null
      and (expires_at is null or expires_at > ${new Date(nowMs)}::timestamptz)
  ) as valid
  where ${where}`;

function isInState(
  state: QueryOf<typeof contract.listUnits>['state'],
  nowMs: number,
): RawBuilder<boolean> {
  if (state === undefined) return sql<boolean>`true`;
  if (state === 'disabled') return sql<boolean>`not units.enabled`;
  if (state === 'test') return sql<boolean>`test_since is not null`;
  if (state === 'spare') return sql<boolean>`units.workplace_id is null`;
  if (state === 'weak_identity') return sql<boolean>`protocol is not null`;
  const isHeard = sql`coalesce(last_seen_at > ${new Date(nowMs - SILENT_AFTER_MS)}, false)`;
  return sql<boolean>`units.workplace_id is not null and ${isHeard} = ${state === 'sending'}`;
}

/** One page of the visible units, by device id unless asked otherwise. */
export async function listUnits(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listUnits>,
  nowMs: number,
): Promise<Page<Unit>> {
  const { clientId } = query;
  const ofClient =
    clientId === undefined
      ? sql<boolean>`true`
      : sql<boolean>`case when units.workplace_id is null then units.owner_id = ${clientId}
          else ${isBusOfClient(sql.ref('units.workplace_id'), clientId, nowMs)} end`;
  const where = sql<boolean>`${isVisibleUnit(viewer)} and ${ofClient}
    and ${isInState(query.state, nowMs)}
    and ${contains(query.search, sql`device_id`, sql`coalesce(workplaces.name, '')`, sql`coalesce(protocol_id, '')`)}`;
  return readPage<Row>(db, unitRows(nowMs, where), query, {
    by: columns[query.sortBy ?? 'device_id'],
  });
}

/** A unit as in answers. */
export async function readUnit(
  db: Db,
  { id }: { readonly id: number },
  nowMs: number,
): Promise<Unit> {
  const { rows } = await unitRows(nowMs, sql`units.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/** Creates a unit, with a credential if it speaks the unit interface. @throws AppError conflict, not_found, no_right, invalid_request */
export async function createUnit(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  body: BodyOf<typeof contract.createUnit>,
): Promise<{ unit: Unit; credential: string | null }> {
  const { settings, ...spoken } = protocolOfNew(viewer, body);
  const { bus, client } = await findPlace(tx, viewer, body);
  await checkDeviceId(tx, body.device_id);
  const isSpoken = spoken.protocol !== null;
  const [made] = await insertUnits(tx, actor, [
    { device_id: body.device_id, bus, client, ...(isSpoken && { ...spoken, settings }) },
  ]);
  const { id, credential } = made ?? { id: 0, credential: null };
  await announceBusChange(tx);
  return { unit: await readUnit(tx, { id }, actor.atMs), credential };
}

/** A change of a unit; a `moved_from` of null: always, as far as the rules of moves allow. */
type UnitChange = Omit<BodyOf<typeof contract.updateUnit>, 'moved_from'> & {
  readonly moved_from?: string | null | undefined;
};

function msOf(moment: string | null | undefined): number | undefined {
  if (moment === undefined) return undefined;
  return moment === null ? Number.NEGATIVE_INFINITY : Date.parse(moment);
}

/** @param ms minus infinity: always */
const momentOf = (ms: number): string | null =>
  Number.isFinite(ms) ? new Date(ms).toISOString() : null;

/**
 * Changes a unit, or moves it to another bus.
 * @param find as `lockUnit`
 * @throws AppError conflict, not_found
 */
export async function changeUnit(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  find: () => Promise<Administered<UnitRow>>,
  body: UnitChange,
): Promise<Changed<Unit>> {
  const { seen: _, bus_id, client_id, moved_from, device_id: deviceId, enabled: isOn } = body;
  // First, so that no position comes between the check and the move.
  const unit = await lockUnit(tx, find);
  const { id } = unit;
  const spoken = await wantedProtocol(tx, viewer, id, body);
  const fields = { device_id: deviceId, enabled: isOn, ...spoken };
  const isMoved = bus_id !== undefined && bus_id !== unit.busId;
  if (bus_id === undefined && moved_from !== undefined) {
    throw new AppError('invalid_request', 'is given without bus_id', { field: 'moved_from' });
  }
  const place =
    isMoved || client_id !== undefined
      ? await findPlace(
          tx,
          viewer,
          {
            bus_id: bus_id === undefined ? unit.busId : bus_id,
            client_id: client_id === undefined ? await ownerOf(tx, viewer, unit) : client_id,
          },
          unit,
        )
      : undefined;
  if (fields.device_id !== undefined && fields.device_id !== unit.deviceId) {
    await checkDeviceId(tx, fields.device_id);
  }
  if (moved_from !== undefined) await lockBusesOfMove(tx, [unit.busId]);
  const fromMs = msOf(moved_from);
  // Of a unit that stays in its bus a moment says since when it has been there.
  const isDated = !isMoved && fromMs !== undefined;
  const noted: { moved_from?: string | null } = {};
  return changeObject<Unit>(tx, actor, {
    ...{ table: 'units', id, body, action: isMoved || isDated ? 'move_unit' : 'set_unit' },
    asBody: ({ bus, client }) => ({ bus_id: bus?.id ?? null, client_id: client?.id ?? null }),
    read: (db) => readUnit(db, { id }, actor.atMs),
    wanted: { ...fields, ...place, ...(isDated && { assigned_from: momentOf(fromMs) }) },
    secretIdOf: ({ protocol }) => (protocol === 'osmand' ? 'protocol_id' : undefined),
    noted,
    write: async (__, changed, before) => {
      const { bus, client, device_id, enabled, assigned_from: since, ...protocol } = changed;
      const set = {
        ...(device_id !== undefined && { device_id }),
        ...(enabled !== undefined && { enabled }),
        ...(client !== undefined && { owner_id: client?.id ?? null }),
        ...protocolRow(protocol, before),
      };
      if (Object.keys(set).length > 0) {
        await refuseTakenUnit(() =>
          tx.updateTable('units').set(set).where('id', '=', id).execute(),
        );
      }
      await forgetReadings(tx, id, protocol);
      if (bus !== undefined || since !== undefined) {
        const wanted = { busId: (bus === undefined ? before.bus : bus)?.id ?? null, fromMs };
        const move = await planMove(tx, viewer, unit, wanted, actor.atMs);
        // null: a user who undoes the move of a unit that has sent nothing has the moment chosen anew.
        const isNoted = move?.isHeard === true || fromMs !== undefined;
        if (move && isMoved) noted.moved_from = isNoted ? momentOf(move.fromMs) : null;
        if (move) await refuseTakenUnit(() => moveUnit(tx, viewer, move));
      }
      const busId = (bus === undefined ? before.bus : bus)?.id;
      if (busId !== undefined && (bus !== undefined || protocol.protocol === 'jt808')) {
        await lockBusesOfMove(tx, [busId]);
        await refuseSharedChannels(tx, [busId], bus === undefined ? 'protocol' : 'bus_id');
      }
      await announceBusChange(tx);
    },
  });
}

/** The bus of a unit, or the customer of a spare one. @param unit undefined: a new one */
async function findPlace(
  tx: Tx,
  viewer: Viewer,
  {
    bus_id = null,
    client_id = null,
  }: { bus_id?: number | null | undefined; client_id?: number | null | undefined },
  unit?: UnitRow,
): Promise<{ bus: Named | null; client: Named | null }> {
  // Until the transaction ends, a bus keeps the customers and the units by which this is judged.
  await lockBusesOfMove(tx, [bus_id, unit?.busId ?? null]);
  if (bus_id !== null) {
    const { id, name } = asAdministered(viewer, await findBus(tx, viewer, bus_id));
    await refuseTakenBus(tx, id, unit?.id);
    return { bus: { id, name }, client: null };
  }
  if (client_id === null) {
    if (viewer.clientIds === 'all') return { bus: null, client: null };
    throw new AppError('invalid_request', 'is required without a bus', { field: 'client_id' });
  }
  const { id, name } = await findClient(tx, viewer, client_id);
  return { bus: null, client: { id, name } };
}

// A unit that leaves its bus stays with the bus's first customer, or the user who moved it would no longer see it.
async function ownerOf(tx: Tx, viewer: Viewer, unit: UnitRow): Promise<number | null> {
  if (unit.busId === null) return unit.clientId;
  const { clientIds } = viewer;
  const owner = await tx
    .selectFrom('workplace_clients')
    .select('client_id')
    .where('workplace_id', '=', unit.busId)
    .$if(clientIds !== 'all', (query) =>
      query.where(sql<boolean>`client_id = any(${[...clientIds]}::bigint[])`),
    )
    .orderBy('client_id')
    .executeTakeFirst();
  return owner?.client_id ?? null;
}
