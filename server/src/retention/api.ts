import { isDeepStrictEqual } from 'node:util';
import * as severalContract from '@ridewatch/contract/admin-several';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import * as contract from '@ridewatch/contract/retention';
import { findClient } from '../access/client.ts';
import { findFragment } from '../access/fragment.ts';
import { lockAdministrator, writeAsAdministrator } from '../auth/lock-administrator.ts';
import { findFragmentAnswer } from '../bus-day/fragment-answers.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { inTransaction } from '../core/db/previewed.ts';
import { serve } from '../core/http/http.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';
import { loadKeys } from '../core/signing-keys.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { markFragmentChanged } from '../fragments/state.ts';

/** Retention settings, and marking videos as kept. */
export const addRetention: Feature = async (app, { config, clock, database }, auth) => {
  const { db } = database;
  const keys = await loadKeys(db, 'video', clock.nowMs());
  const { video, files, positions } = config.keepDays;
  const defaults = { video_days: video, files_days: files, positions_days: positions };

  const namedClient = (call: { viewer: Viewer; params: { clientId: number } }) =>
    findClient(db, call.viewer, call.params.clientId);

  serve(app, auth, contract.keepFragment, 'user', async ({ viewer, actor, params, body }) => {
    const { segmentId: fragmentId } = params;
    await db.transaction().execute(async (tx) => {
      const fragment = await findFragment(tx, viewer, fragmentId);
      const kept = await tx
        .updateTable('segments')
        .set({
          kept_at: body.keep ? new Date(clock.nowMs()) : null,
          kept_by: body.keep ? viewer.userId : null,
        })
        .where('id', '=', fragment.id)
        .where('kept_at', body.keep ? 'is' : 'is not', null)
        .returning('id')
        .executeTakeFirst();
      if (kept === undefined) return;
      await insertAudit(tx, actor, {
        action: 'keep_segment',
        objectType: 'segment',
        objectId: fragment.id,
        before: { keep: !body.keep },
        after: { keep: body.keep },
      });
      await markFragmentChanged(tx, fragment.id);
    });
    return findFragmentAnswer(db, viewer, fragmentId, keys, clock.nowMs());
  });

  serve(
    app,
    auth,
    contract.findRetention,
    'admin',
    async ({ viewer, params }) => {
      const { id } = await findClient(db, viewer, params.clientId);
      const days = (await daysOf(db, id).executeTakeFirst()) ?? NO_DAYS;
      return { client_id: id, ...days, defaults };
    },
    namedClient,
  );

  serve(
    app,
    auth,
    contract.setRetention,
    'admin',
    async ({ viewer, actor, params, body }) => {
      await writeAsAdministrator(db, viewer, async (tx) => {
        const { id } = await findClient(tx, viewer, params.clientId);
        await changeDays(tx, actor, id, body);
      });
      return undefined;
    },
    namedClient,
  );

  serve(
    app,
    auth,
    severalContract.changeRetentions,
    'admin',
    async ({ viewer, actor, body }) => {
      // One after the other in the order of their ids: two calls never deadlock.
      const ids = [...new Set(body.ids)].sort((a, b) => a - b);
      const former = await inTransaction(db, { isPreview: body.preview }, async (tx) => {
        await lockAdministrator(tx, viewer);
        const found: (contract.Retention & { id: number })[] = [];
        for (const wanted of ids) {
          const { id } = await findClient(tx, viewer, wanted);
          const days = await changeDays(tx, actor, id, body.change);
          if (days !== undefined) found.push({ id, ...days });
        }
        return found;
      });
      const answer = { changed: former.length, changed_ids: former.map(({ id }) => id) };
      if (!body.preview) return answer;
      return { ...answer, refused: [], former_days: { customers: former, defaults } };
    },
    async ({ viewer, body }) => {
      for (const id of new Set(body.ids)) await findClient(db, viewer, id);
    },
  );
};

/** Sets the days of a customer. @returns those until then; undefined when none became different */
async function changeDays(
  tx: Tx,
  actor: Actor,
  id: number,
  { seen, ...wanted }: BodyOf<typeof contract.setRetention>,
): Promise<contract.Retention | undefined> {
  // The row is there to be locked: two who set different days both have them set.
  await tx
    .insertInto('client_retention')
    .values({ client_id: id, ...NO_DAYS })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .execute();
  const before = await daysOf(tx, id).forUpdate().executeTakeFirstOrThrow();
  refuseUnseen(before, { seen, ...wanted }, before);
  const after = { ...before, ...wanted };
  if (isDeepStrictEqual(before, after)) return undefined;
  await tx.updateTable('client_retention').set(after).where('client_id', '=', id).execute();
  await insertAudit(tx, actor, {
    ...{ action: 'set_retention', objectType: 'client', objectId: id, before, after },
  });
  return before;
}

const NO_DAYS: contract.Retention = { video_days: null, files_days: null, positions_days: null };

function daysOf(db: Db, clientId: number) {
  return db
    .selectFrom('client_retention')
    .select(['video_days', 'files_days', 'positions_days'])
    .where('client_id', '=', clientId);
}
