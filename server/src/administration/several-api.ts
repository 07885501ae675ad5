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
import type { VersionedTable } from './change.ts';
import { changeUser } from './users.ts';

/** A row that has a version. */
interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** One change of several rows in one transaction. What a row is now matters to none of them. */
export const addSeveral: Feature = (app, { database: { db } }, auth) => {
  serve(app, auth, contract.changeBuses, 'user', async ({ viewer, actor, body }) => {
    const { ids, change } = body;
    await findBusIds(db, viewer, ids);
    // Units before buses, as every change of settings.
    const lockFirst = (tx: Tx) => lockBatches(tx, ...ids);
    return changeEach(db, 'workplaces', { ids, lockFirst }, async (tx, { id, version }) => {
      const bus = asAdministered(viewer, await findBus(tx, viewer, id));
      return 'retired' in change
        ? changeBus(tx, viewer, actor, bus, { ...change, version })
        : changeSettings(tx, viewer, actor, bus, { ...change, version });
    });
  });

  serve(app, auth, contract.changeCameras, 'user', async ({ viewer, actor, body }) => {
    await findEach(body.ids, (id) => findCamera(db, viewer, id));
    return changeEach(db, 'cameras', body, async (tx, { id, version }) => {
      const camera = asAdministered(viewer, await findCamera(tx, viewer, id));
      return changeCamera(tx, actor, camera, { ...body.change, version });
    });
  });

  serve(app, auth, contract.changeUsers, 'user', async ({ viewer, actor, body }) => {
    await findEach(body.ids, (id) => findUser(db, viewer, id));
    const sessions: string[] = [];
    const answer = await changeEach(db, 'users', body, async (tx, { id, version }) => {
      const found = await findAdministeredUser(tx, viewer, id);
      const wanted = { ...body.change, version };
      const { user, ended } = await changeUser(tx, viewer, actor, found, wanted);
      sessions.push(...ended);
      return user;
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
 * @param change answers the row after it
 * @throws AppError of the first refused row, with its place in `ids`
 */
async function changeEach(
  db: Db,
  table: VersionedTable,
  { ids, lockFirst }: Several,
  change: (tx: Tx, row: Versioned) => Promise<Versioned>,
): Promise<{ changed: number }> {
  return db.transaction().execute(async (tx) => {
    await lockFirst?.(tx);
    const { rows } = await sql<Versioned>`
      select id, row_version as version from ${sql.table(table)}
      where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(tx);
    let changed = 0;
    for (const row of rows) {
      try {
        const after = await change(tx, row);
        if (after.version !== row.version) changed += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const field = [`ids.${ids.indexOf(row.id)}`, error.field].filter(Boolean).join('.');
        throw new AppError(error.code, error.message, { field, cause: error });
      }
    }
    return { changed };
  });
}
