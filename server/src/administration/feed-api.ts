import * as contract from '@ridewatch/contract/admin-feed';
import { sql } from 'kysely';
import { asAdministered, findUnit } from '../access/administration.ts';
import { insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { FEED_CHANNEL, NO_STATUS } from '../fetching/commands.ts';
import { lockRightsOver } from './lock-rights.ts';
import { lockUnit } from './lock-unit.ts';
import { wireOf } from './page.ts';
import { changeTestMode } from './test-mode.ts';
import { readUnit } from './units.ts';

/** The test mode of units, and their batches as received. */
export const addUnitFeed: Feature = (app, { database: { db }, clock }, auth) => {
  const finder =
    (tx: Db, viewer: Viewer, { unitId }: { unitId: number }) =>
    async () =>
      asAdministered(viewer, await findUnit(tx, viewer, unitId));

  serve(app, auth, contract.findUnitFeed, 'user', async ({ viewer, params }) => {
    const unit = await finder(db, viewer, params)();
    return readFeed(db, unit.id, clock.nowMs());
  });

  serve(app, auth, contract.listenToUnit, 'user', async ({ viewer, actor, params }) => {
    await finder(db, viewer, params)();
    const unit = await db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      const unit = await lockUnit(tx, finder(tx, present, params));
      const until = new Date(actor.atMs + contract.FEED_MINUTES * 60_000);
      await tx.updateTable('units').set({ feed_until: until }).where('id', '=', unit.id).execute();
      await tx.deleteFrom('unit_feed').where('unit_id', '=', unit.id).execute();
      await sql`select pg_notify(${FEED_CHANNEL}, '')`.execute(tx);
      await insertAudit(tx, actor, {
        action: 'listen_to_unit',
        objectType: 'unit',
        objectId: unit.id,
        after: { until: until.toISOString() },
      });
      return unit;
    });
    return readFeed(db, unit.id, clock.nowMs());
  });

  serve(app, auth, contract.setTestMode, 'user', async ({ viewer, actor, params, body }) => {
    await finder(db, viewer, params)();
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      const unit = await lockUnit(tx, finder(tx, present, params));
      await changeTestMode(tx, actor, unit, body);
      return readUnit(tx, unit, actor.atMs);
    });
  });
};

async function readFeed(db: Db, unitId: number, nowMs: number): Promise<contract.UnitFeed> {
  const { feed_until: until } = await db
    .selectFrom('units')
    .select('feed_until')
    .where('id', '=', unitId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('unit_feed')
    .select(['id', 'received_at', 'status', 'bytes', 'body', 'answer'])
    .where('unit_id', '=', unitId)
    .orderBy('id', 'desc')
    .limit(contract.MOST_FEED_ROWS)
    .execute();
  const isListening = until !== null && until.getTime() > nowMs;
  return {
    listening_until: isListening ? until.toISOString() : null,
    items: rows.map((row) => feedBatchOf(wireOf(row))),
  };
}

// A message in another protocol has its fate where a batch has its answer.
function feedBatchOf({ status, answer, ...row }: Omit<contract.FeedBatch, 'fate'>) {
  if (status !== NO_STATUS) return { ...row, status, answer, fate: null };
  const { data } = contract.FeedFate.safeParse(answer);
  return { ...row, status: null, answer: null, fate: data ?? ('not_now' as const) };
}
