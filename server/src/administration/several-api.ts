import * as contract from '@ridewatch/contract/admin-several';
import { sql } from 'kysely';
import { asAdministered, findAdministeredUser, findUser } from '../access/administration.ts';
import { findBus, findBusIds } from '../access/bus.ts';
import { findCamera } from '../access/camera.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { lockBatches } from '../days/bus-days.ts';
import type { Feature } from '../deps.ts';
import { changeBus, changeSettings } from './bus-changes.ts';
import { changeCamera } from './cameras.ts';
import type { Changed, ChangedTable } from './change.ts';
import { changeUser } from './users.ts';

/** One change of several rows in one transaction. What a row is now matters to none of them. */
export const addSeveral: Feature = (app, { database: { db } }, auth) => {
  serve(app, auth, contract.changeBuses, 'user', async ({ viewer, actor, body }) => {
    const { ids, change } = body;
    await findBusIds(db, viewer, ids);
    // Units before buses, as every change of settings.
    const lockFirst = (tx: Tx) => lockBatches(tx, ...ids);
    return changeEach(db, 'workplaces', { ids, lockFirst }, async (tx, id) => {
      const bus = asAdministered(viewer, await findBus(tx, viewer, id));
      return 'retired' in change
        ? changeBus(tx, viewer, actor, bus, change)
        : changeSettings(tx, viewer, actor, bus, change);
    });
  });

  serve(app, auth, contract.changeCameras, 'user', async ({ viewer, actor, body }) => {
    await findEach(body.ids, (id) => findCamera(db, viewer, id));
    return changeEach(db, 'cameras', body, async (tx, id) => {
      const camera = asAdministered(viewer, await findCamera(tx, viewer, id));
      return changeCamera(tx, actor, camera, body.change);
    });
  });

  serve(app, auth, contract.changeUsers, 'user', async ({ viewer, actor, body }) => {
    await findEach(body.ids, (id) => findUser(db, viewer, id));
    const sessions: string[] = [];
    const answer = await changeEach(db, 'users', body, async (tx, id) => {
      const found = await findAdministeredUser(tx, viewer, id);
      const { ended, ...changed } = await changeUser(tx, viewer, actor, found, body.change);
      sessions.push(...ended);
      return changed;
    });
    auth.forget(sessions);
    return answer;
  });
};

/** One foreign object refuses the whole call, as if it did not exist, before anything else is said. */
async function findEach(
  ids: readonly number[],
  find: (id: number) => Promise<unknown>,
): Promise<void> {
  for (const id of new Set(ids)) await find(id);
}

interface Several {
  readonly ids: readonly number[];
  /** Locks what the changes lock before the rows. */
  readonly lockFirst?: (tx: Tx) => Promise<void>;
}

/**
 * Changes rows in one transaction. It locks all of them first, in the order of their ids: calls about the same rows take
 * turns, and none finds a row that another has changed meanwhile.
 * @throws AppError of the first refused row, with its place in `ids`
 */
async function changeEach(
  db: Db,
  table: ChangedTable,
  { ids, lockFirst }: Several,
  change: (tx: Tx, id: number) => Promise<Changed<unknown>>,
): Promise<{ changed: number }> {
  return db.transaction().execute(async (tx) => {
    await lockFirst?.(tx);
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)}
      where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
    let changed = 0;
    for (const { id } of rows) {
      try {
        if ((await change(tx, id)).isChanged) changed += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const field = [`ids.${ids.indexOf(id)}`, error.field].filter(Boolean).join('.');
        throw new AppError(error.code, error.message, { field, cause: error });
      }
    }
    return { changed };
  });
}
