import type { ImportedCredential, ImportKind } from '@ridewatch/contract/admin-import';
import { keepRoutes } from '../../access/route.ts';
import { announceBusChange } from '../../buses/announce.ts';
import { type Actor, insertAudit } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { insertNewBuses } from '../bus-changes.ts';
import { insertCameras } from '../cameras.ts';
import { insertCustomer } from '../customers.ts';
import { createGroup } from '../groups.ts';
import { insertUnits, type NewUnit } from '../units.ts';
import type { Planned } from './planners.ts';

/** How a new route's revenue is reckoned until somebody says otherwise. */
const FIXED = { type_calculation: 'FIXED' } as const;

const objectTypes = {
  customers: 'client',
  buses: 'workplace',
  units: 'unit',
  cameras: 'camera',
} as const satisfies Record<ImportKind, string>;

/** Objects of one statement. */
const AT_ONCE = 250;

type Of<Kind extends ImportKind> = Extract<Planned, { kind: Kind }>;

/**
 * Creates the objects of a table. The audit log has a row for each object, as if it had been created by itself, and one
 * for the file.
 * @param file its name
 * @param planned objects of one kind
 * @returns the credentials of new units, which nothing stores
 */
export async function writeImport(
  tx: Tx,
  actor: Actor,
  { kind, file }: { readonly kind: ImportKind; readonly file: string },
  planned: readonly Planned[],
): Promise<ImportedCredential[]> {
  const credentials: ImportedCredential[] = [];
  const routes = await writeRoutes(tx, actor, ofKind(planned, 'buses'));
  for (let from = 0; from < planned.length; from += AT_ONCE) {
    const part = planned.slice(from, from + AT_ONCE);
    for (const { body } of ofKind(part, 'customers')) await insertCustomer(tx, actor, body);
    const cameras = ofKind(part, 'cameras');
    if (cameras.length > 0) await insertCameras(tx, actor, cameras);
    const onBuses = await writeBuses(tx, actor, ofKind(part, 'buses'), routes);
    const units = [...ofKind(part, 'units'), ...onBuses];
    if (units.length > 0) credentials.push(...(await writeUnits(tx, actor, units)));
  }
  await insertAudit(tx, actor, {
    action: 'import',
    objectType: objectTypes[kind],
    after: { file, created: planned.length, routes: routes.size },
  });
  await announceBusChange(tx);
  return credentials;
}

function ofKind<Kind extends ImportKind>(planned: readonly Planned[], kind: Kind): Of<Kind>[] {
  return planned.filter((one): one is Of<Kind> => one.kind === kind);
}

/** Creates the routes that buses name. @returns ids by the key of the route */
async function writeRoutes(
  tx: Tx,
  actor: Actor,
  buses: readonly Of<'buses'>[],
): Promise<ReadonlyMap<string, number>> {
  const routes = new Map<string, number>();
  for (const { newRoute, client } of buses) {
    if (newRoute === null || routes.has(newRoute.key)) continue;
    const wanted = { ...FIXED, client_id: client.id, name: newRoute.name };
    routes.set(newRoute.key, (await createGroup(tx, actor, wanted)).id);
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

async function writeUnits(
  tx: Tx,
  actor: Actor,
  units: readonly NewUnit[],
): Promise<ImportedCredential[]> {
  const wanted = units.map(({ device_id, bus, client }) => ({ device_id, bus, client }));
  const made = await insertUnits(tx, actor, wanted);
  return units.map(({ device_id, bus }, at) => ({
    ...{ device_id, bus: bus?.name ?? null, credential: made[at]?.credential ?? '' },
  }));
}
