import { isDeepStrictEqual } from 'node:util';
import * as contract from '@ridewatch/contract/retention';
import { findClient } from '../access/client.ts';
import { findFragment } from '../access/fragment.ts';
import { findFragmentAnswer } from '../bus-day/fragment-answers.ts';
import { insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
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
      const { video, files, positions } = config.keepDays;
      return {
        client_id: id,
        ...((await daysOf(db, id).executeTakeFirst()) ?? NO_DAYS),
        defaults: { video_days: video, files_days: files, positions_days: positions },
      };
    },
    namedClient,
  );

  serve(
    app,
    auth,
    contract.setRetention,
    'admin',
    async ({ viewer, actor, params, body }) => {
      await db.transaction().execute(async (tx) => {
        const { id } = await findClient(tx, viewer, params.clientId);
        // The row is there to be locked: two who set different days both have them set.
        await tx
          .insertInto('client_retention')
          .values({ client_id: id, ...NO_DAYS })
          .onConflict((conflict) => conflict.column('client_id').doNothing())
          .execute();
        const before = await daysOf(tx, id).forUpdate().executeTakeFirstOrThrow();
        const { seen: _, ...wanted } = body;
        refuseUnseen(before, body, before);
        const after = { ...before, ...wanted };
        if (isDeepStrictEqual(before, after)) return;
        await tx.updateTable('client_retention').set(after).where('client_id', '=', id).execute();
        await insertAudit(tx, actor, {
          action: 'set_retention',
          objectType: 'client',
          objectId: id,
          before,
          after,
        });
      });
      return undefined;
    },
    namedClient,
  );
};

const NO_DAYS: contract.Retention = { video_days: null, files_days: null, positions_days: null };

function daysOf(db: Db, clientId: number) {
  return db
    .selectFrom('client_retention')
    .select(['video_days', 'files_days', 'positions_days'])
    .where('client_id', '=', clientId);
}
