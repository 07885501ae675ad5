import type { BusOwner } from '@ridewatch/contract/admin-buses';
import * as contract from '@ridewatch/contract/admin-several';
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import {
  asAdministered,
  checkAdministers,
  findAdministeredUser,
  findUnit,
  findUser,
} from '../access/administration.ts';
import { findBus, findBusIds } from '../access/bus.ts';
import { type CameraRow, findCamera } from '../access/camera.ts';
import { findClient } from '../access/client.ts';
import type { Visible } from '../access/visible.ts';
import { lockAdministrator } from '../auth/lock-administrator.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { inTransaction } from '../core/db/previewed.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import { lockBatches } from '../days/bus-days.ts';
import { settingsOn } from '../days/bus-settings.ts';
import type { Feature } from '../deps.ts';
import { changeBus } from './bus-changes.ts';
import { listClientsOfBuses } from './buses.ts';
import { changeCamera } from './cameras.ts';
import type { Changed, ChangedTable } from './change.ts';
import { changeCustomer } from './customers.ts';
import { lockRightsOver } from './lock-rights.ts';
import { type Handover, listOwners } from './owners.ts';
import { changeSettings } from './settings-changes.ts';
import { changeUnit } from './units.ts';
import { changeUser } from './users.ts';

/** One change of several rows in one transaction. What a row is now matters to none of them. */
export const addSeveral: Feature = (app, { database: { db } }, auth) => {
  const findCustomers = (viewer: Viewer, ids: readonly number[]) =>
    findEach(ids, (id) => findClient(db, viewer, id));

  serve(app, auth, contract.changeBuses, 'user', async ({ viewer, actor, body }) => {
    const { ids, change, preview } = body;
    await findBusIds(db, viewer, ids);
    checkAdministers(viewer);
    const lockFirst = async (tx: Tx) => {
      const present = await lockRightsOver(tx, viewer);
      // Units before buses, as every change of settings.
      await lockBatches(tx, ...ids);
      return present;
    };
    const handovers = new Map<number, PreviewedHandover>();
    const answer = await changeEach(
      db,
      'workplaces',
      { ids, preview, lockFirst },
      async (tx, present, id) => {
        const bus = asAdministered(present, await findBus(tx, present, id));
        if ('group_id' in change) return changeSettings(tx, present, actor, bus, change);
        const { handover, ...changed } = await changeBus(tx, present, actor, bus, change);
        if (handover && preview) {
          handovers.set(id, { ...handover, owners: await listOwners(tx, present, id) });
        }
        return changed;
      },
    );
    const changed = answer.changed_ids;
    if (preview && 'group_id' in change)
      return { ...answer, former_routes: await listRoutesOfBuses(db, changed, change.valid_from) };
    if (preview && 'client_ids' in change) {
      const former = await listClientsOfBuses(db, viewer, changed);
      return { ...answer, former_clients: changed.map((id) => formerOf(id, former, handovers)) };
    }
    return answer;
  });

  serve(app, auth, contract.changeUnits, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    await findEach(ids, (id) => findUnit(db, viewer, id));
    checkAdministers(viewer);
    const lockFirst = (tx: Tx) => lockRightsOver(tx, viewer);
    return changeEach(db, 'units', { ids, preview, lockFirst }, (tx, present, id) => {
      const find = async () => asAdministered(present, await findUnit(tx, present, id));
      return changeUnit(tx, present, actor, find, body.change);
    });
  });

  serve(
    app,
    auth,
    contract.changeCustomers,
    'admin',
    async ({ viewer, actor, body }) => {
      await findCustomers(viewer, body.ids);
      const { ids, preview } = body;
      const lockFirst = async (tx: Tx) => {
        await lockAdministrator(tx, viewer);
        return viewer;
      };
      return changeEach(db, 'clients', { ids, preview, lockFirst }, async (tx, _, id) =>
        changeCustomer(tx, actor, await findClient(tx, viewer, id), body.change),
      );
    },
    ({ viewer, body }) => findCustomers(viewer, body.ids),
  );

  serve(app, auth, contract.changeCameras, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    const found: Visible<CameraRow>[] = [];
    await findEach(ids, async (id) => found.push(await findCamera(db, viewer, id)));
    checkAdministers(viewer);
    const lockFirst = async (tx: Tx) => {
      const present = await lockRightsOver(tx, viewer);
      // Units before cameras, as every change of a camera and every batch.
      await lockBatches(tx, ...new Set(found.map(({ busId }) => busId)));
      return present;
    };
    return changeEach(db, 'cameras', { ids, preview, lockFirst }, async (tx, present, id) => {
      const camera = asAdministered(present, await findCamera(tx, present, id));
      return changeCamera(tx, present, actor, camera, body.change);
    });
  });

  serve(app, auth, contract.changeUsers, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    await findEach(ids, (id) => findUser(db, viewer, id));
    checkAdministers(viewer);
    const sessions: string[] = [];
    const lockFirst = (tx: Tx) =>
      lockRightsOver(tx, viewer, sql<boolean>`users.id = any(${ids}::bigint[])`);
    const several = { ids, preview, lockFirst };
    const answer = await changeEach(db, 'users', several, async (tx, present, id) => {
      const found = await findAdministeredUser(tx, present, id);
      const { ended, ...changed } = await changeUser(tx, present, actor, found, body.change);
      sessions.push(...ended);
      return changed;
    });
    if (!preview) auth.forget(sessions);
    return answer;
  });
};

/** The effects of a hand-over, and whose the days would be. */
interface PreviewedHandover extends Handover {
  readonly owners: BusOwner[];
}

/** A bus with the customers that it leaves, and the effects. */
function formerOf(
  id: number,
  former: readonly { readonly id: number; readonly clients: Named[] }[],
  handovers: ReadonlyMap<number, PreviewedHandover>,
) {
  const handover = handovers.get(id);
  const { from = null, isRouteEnded = false, isFareEnded = false, owners = [] } = handover ?? {};
  const clients = former.find((one) => one.id === id)?.clients ?? [];
  return { id, clients, from, route_ends: isRouteEnded, fare_ends: isFareEnded, owners };
}

/** The routes that buses have on a local day, by bus. The caller may see the routes. */
async function listRoutesOfBuses(
  db: Db,
  busIds: readonly number[],
  day: string,
): Promise<{ id: number; route: Named | null }[]> {
  const { rows } = await sql<{ id: number; route: Named | null }>`
    select bus.id, case when route_groups.id is not null
      then jsonb_build_object('id', route_groups.id, 'name', name) end as route
    from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql`${day}::date`)} as settings
    left join route_groups on route_groups.id = settings.group_id`.execute(db);
  return rows;
}

/** One foreign object refuses the whole call, as if it did not exist, before anything else is said. */
async function findEach(
  ids: readonly number[],
  find: (id: number) => Promise<unknown>,
): Promise<void> {
  for (const id of new Set(ids)) await find(id);
}

interface Several {
  readonly ids: readonly number[];
  /** Nothing is written. */
  readonly preview: boolean;
  /** Locks what the changes lock before the rows. Gives the user with the rights by which they are judged. */
  readonly lockFirst: (tx: Tx) => Promise<Viewer>;
}

/**
 * Changes rows in one transaction. It locks all of them first, in the order of their ids: calls about the same rows take
 * turns, and none finds a row that another has changed meanwhile. A preview tries all rows, and says which are refused.
 * @throws AppError of the first refused row, with its place in `ids`; of a preview only not_found
 */
async function changeEach(
  db: Db,
  table: ChangedTable,
  { ids, preview, lockFirst }: Several,
  change: (tx: Tx, viewer: Viewer, id: number) => Promise<Changed<unknown>>,
): Promise<{ changed: number; changed_ids: number[]; refused?: contract.RefusedRow[] }> {
  const refused: contract.RefusedRow[] = [];
  const changeAll = async (tx: Tx): Promise<number[]> => {
    const viewer = await lockFirst(tx);
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)}
      where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
    const changed: number[] = [];
    for (const { id } of rows) {
      try {
        if ((await change(tx, viewer, id)).isChanged) changed.push(id);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { code, message, field } = error;
        // Nothing of the row was written yet, so the others are judged as before.
        if (preview && code !== 'not_found') {
          refused.push({ id, error: code, message, ...(field !== undefined && { field }) });
          continue;
        }
        const place = [`ids.${ids.indexOf(id)}`, field].filter(Boolean).join('.');
        throw new AppError(code, message, { field: place, cause: error });
      }
    }
    return changed;
  };
  const changed = await inTransaction(db, { isPreview: preview }, changeAll);
  const answer = { changed: changed.length, changed_ids: changed };
  return preview ? { ...answer, refused } : answer;
}
