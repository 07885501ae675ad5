import * as contract from '@ridewatch/contract/recalculation';
import { findCamera } from '../access/camera.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { checkOpenRecalculations, lockRecalculations, nudgeRecalculation } from './order.ts';
import { findLatest } from './progress.ts';

/** Recounting fragments of cameras. */
export const addRecalculation: Feature = (app, { database }, auth) => {
  const { db } = database;

  serve(
    app,
    auth,
    contract.findRecalculation,
    'admin',
    async ({ viewer, params }) => {
      const { busId } = await findCamera(db, viewer, params.cameraId);
      return { recalculation: (await findLatest(db, busId)) ?? null };
    },
    ({ viewer, params }) => findCamera(db, viewer, params.cameraId),
  );

  serve(
    app,
    auth,
    contract.recalculateFragments,
    'admin',
    async ({ viewer, params, body, actor }) => {
      const { busId } = await findCamera(db, viewer, params.cameraId);
      const wanted = [...new Set(body.cameraIds ?? [params.cameraId])].sort((a, b) => a - b);
      for (const id of wanted) {
        const camera = await findCamera(db, viewer, id);
        if (camera.busId !== busId) {
          throw new AppError('invalid_request', 'must be of one bus', { field: 'cameraIds' });
        }
      }
      const fromMs = Date.parse(body.from);
      const toMs = Date.parse(body.to);
      if (toMs <= fromMs) {
        throw new AppError('invalid_request', 'is not after from', { field: 'to' });
      }
      if (toMs - fromMs > contract.MAX_RECALCULATION_MS) {
        throw new AppError('invalid_request', 'is more than 93 days after from', { field: 'to' });
      }
      const question = { busId, cameraIds: wanted, from: body.from, to: body.to };
      await db
        .transaction()
        .execute((tx) => requestRecalculation(tx, actor, { ...question, reload: body.reload }));
      const latest = await findLatest(db, busId);
      if (latest === undefined) throw new Error('no recalculation');
      return latest;
    },
    async ({ viewer, params, body }) => {
      for (const id of [params.cameraId, ...(body.cameraIds ?? [])]) {
        await findCamera(db, viewer, id);
      }
    },
  );
};

interface Question {
  readonly busId: number;
  readonly cameraIds: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly reload: boolean;
}

async function requestRecalculation(tx: Tx, actor: Actor, question: Question): Promise<void> {
  const { busId, from, to, reload } = question;
  const cameraIds = [...question.cameraIds];
  await lockRecalculations(tx, busId);
  const latest = await findLatest(tx, busId);
  const isSame =
    latest?.state === 'running' &&
    latest.cameraIds.join() === cameraIds.join() &&
    Date.parse(latest.from) === Date.parse(from) &&
    Date.parse(latest.to) === Date.parse(to) &&
    latest.reload === reload;
  if (isSame) return;
  await checkOpenRecalculations(tx, busId);
  const { id } = await tx
    .insertInto('recalculations')
    .values({
      workplace_id: busId,
      user_id: actor.userId ?? 0,
      camera_ids: cameraIds,
      from_time: from,
      to_time: to,
      reload,
      created_at: new Date(actor.atMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await nudgeRecalculation(tx, id);
  await insertAudit(tx, actor, {
    action: 'recalculate_segments',
    objectType: 'workplace',
    objectId: busId,
    after: { cameraIds, from, to, reload },
  });
}
