import { randomBytes } from 'node:crypto';
import type {
  ImportedCredential,
  ImportedLink,
  ImportKind,
} from '@ridewatch/contract/admin-import';
import { asAdministered } from '../../access/administration.ts';
import { findBusIds } from '../../access/bus.ts';
import { keepRoutes } from '../../access/route.ts';
import { hashNewPassword, lockClients } from '../../auth/accounts.ts';
import { makePasswordLink } from '../../auth/password-links.ts';
import { announceBusChange } from '../../buses/announce.ts';
import { type Actor, insertAudit } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';
import { insertNewBuses } from '../bus-changes.ts';
import { insertCameras } from '../cameras.ts';
import { insertCustomer } from '../customers.ts';
import { createGroup } from '../groups.ts';
import { insertUnits, type NewUnit } from '../new-units.ts';
import { insertUser } from '../users.ts';
import { insertImport } from './imports.ts';
import { lockFleet, plannedRows } from './lock-rows.ts';
import { type Change, type Creation, lotsOf, type NewRoute } from './row-plan.ts';
import { writeChanges } from './write-changes.ts';

/** How a new route's revenue is reckoned until somebody says otherwise. */
const FIXED = { type_calculation: 'FIXED' } as const;

/** The audit log's names for the objects of each kind. */
export const objectTypes = {
  customers: 'client',
  users: 'user',
  buses: 'workplace',
  units: 'unit',
  cameras: 'camera',
} as const satisfies Record<ImportKind, string>;

type Of<Kind extends ImportKind> = Extract<Creation, { kind: Kind }>;

/** A table that is written. */
interface Written {
  readonly viewer: Viewer;
  readonly kind: ImportKind;
  /** Its name. */
  readonly file: string;
  readonly creations: readonly Creation[];
  readonly changes: readonly Change[];
}

/** The answer about a written table. */
interface Answer {
  readonly import_id: number;
  /** Of new units; nothing stores them. */
  readonly credentials: ImportedCredential[];
  /** Of new users; nothing stores them. */
  readonly links: ImportedLink[];
  /** Sessions that ended, as their users got other rights. */
  readonly ended: string[];
}

/**
 * Creates and changes the objects of a table. The audit log has a row for each object, as if it had been written by
 * itself, and one for the file, all with the number of the import.
 * @throws AppError conflict for an object that somebody has changed since the plan was made
 */
export async function writeImport(
  tx: Tx,
  by: Actor,
  { viewer, kind, file, creations, changes }: Written,
): Promise<Answer> {
  const counts = { created: creations.length, changed: changes.length };
  const import_id = await insertImport(tx, by, { userId: viewer.userId, kind, file, ...counts });
  const actor = { ...by, importId: import_id };
  await keepFleet(tx, viewer, { creations, changes });
  const credentials: ImportedCredential[] = [];
  const routes = await writeRoutes(tx, actor, [...creations, ...changes]);
  const { ended, units: ofChanges } = await writeChanges(tx, viewer, actor, { changes, routes });
  const links = await writeUsers(tx, viewer, actor, ofKind(creations, 'users'));
  const units: NewUnit[] = [...ofKind(creations, 'units'), ...ofChanges];
  for (const part of lotsOf(creations)) {
    for (const { body } of ofKind(part, 'customers')) await insertCustomer(tx, actor, body);
    const cameras = ofKind(part, 'cameras');
    if (cameras.length > 0) await insertCameras(tx, actor, cameras);
    units.push(...(await writeBuses(tx, actor, ofKind(part, 'buses'), routes)));
  }
  for (const part of lotsOf(units)) credentials.push(...(await writeUnits(tx, actor, part)));
  await insertAudit(tx, actor, {
    action: 'import',
    objectType: objectTypes[kind],
    after: { file, ...counts, routes: routes.size },
  });
  await announceBusChange(tx);
  return { import_id, credentials, links, ended };
}

// The plan saw the fleet before it was locked; a bus may have gone to foreign hands since.
async function keepFleet(
  tx: Tx,
  viewer: Viewer,
  { creations, changes }: Pick<Written, 'creations' | 'changes'>,
): Promise<void> {
  const buses = await lockFleet(tx, plannedRows(creations, changes));
  try {
    asAdministered(viewer, await findBusIds(tx, viewer, buses));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = 'A bus of this table went to other customers meanwhile. Load the table again.';
    throw new AppError('conflict', message, { field: 'file', cause: error });
  }
}

function ofKind<Kind extends ImportKind>(planned: readonly Creation[], kind: Kind): Of<Kind>[] {
  return planned.filter((one): one is Of<Kind> => one.kind === kind);
}

/** Creates the routes that buses name. @returns ids by the key of the route */
async function writeRoutes(
  tx: Tx,
  actor: Actor,
  planned: readonly (Creation | Change)[],
): Promise<ReadonlyMap<string, number>> {
  const routes = new Map<string, number>();
  const wanted = planned.map((one): NewRoute | null =>
    one.kind === 'buses' ? one.newRoute : null,
  );
  for (const route of wanted) {
    if (route === null || routes.has(route.key)) continue;
    const { key, name, client } = route;
    const made = await createGroup(tx, actor, { ...FIXED, client_id: client.id, name });
    routes.set(key, made.id);
  }
  return routes;
}

/** @returns the units that come with the buses */
async function writeBuses(
  tx: Tx,
  actor: Actor,
  buses: readonly Of<'buses'>[],
  routes: ReadonlyMap<string, number>,
): Promise<NewUnit[]> {
  if (buses.length === 0) return [];
  const wanted = buses.map(({ body, newRoute, client }) => ({
    body: { ...body, group_id: newRoute ? routes.get(newRoute.key) : body.group_id },
    clients: [client],
  }));
  const chosen = [...new Set(buses.flatMap(({ body }) => body.group_id ?? []))];
  if ((await keepRoutes(tx, chosen)).size < chosen.length) {
    const message = 'A route of these buses was deleted meanwhile.';
    throw new AppError('conflict', message, { field: 'file' });
  }
  const ids = await insertNewBuses(tx, actor, wanted);
  return buses.flatMap(({ device, body: { name } }, at) =>
    device === null ? [] : [{ device_id: device, bus: { id: ids[at] ?? 0, name }, client: null }],
  );
}

/** Creates users, who set their passwords by links; nobody knows the one that they have until then. */
async function writeUsers(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  users: readonly Of<'users'>[],
): Promise<ImportedLink[]> {
  if (users.length === 0) return [];
  await lockClients(tx, [...new Set(users.flatMap(({ client }) => client?.id ?? []))]);
  const nobodysHash = await hashNewPassword(randomBytes(32).toString('base64url'), 'file');
  const links: ImportedLink[] = [];
  for (const { login, role, client, can_edit } of users) {
    const wanted = { login, role, client_id: client?.id ?? null, can_edit };
    const id = await insertUser(tx, viewer, actor, wanted, nobodysHash);
    const { path, expiresMs } = await makePasswordLink(tx, actor, id);
    const expires_at = new Date(expiresMs).toISOString();
    links.push({ login, client: client?.name ?? null, path, expires_at });
  }
  return links;
}

async function writeUnits(
  tx: Tx,
  actor: Actor,
  units: readonly NewUnit[],
): Promise<ImportedCredential[]> {
  const wanted = units.map(({ device_id, bus, client, protocol, protocol_id, settings }) => ({
    ...{ device_id, bus, client },
    ...(protocol && { protocol, protocol_id, settings }),
  }));
  const made = await insertUnits(tx, actor, wanted);
  return units.flatMap(({ device_id, bus }, at) => {
    const credential = made[at]?.credential ?? null;
    return credential === null ? [] : [{ device_id, bus: bus?.name ?? null, credential }];
  });
}
