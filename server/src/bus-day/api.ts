import * as contract from '@ridewatch/contract/fragments';
import { MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import { createDayGate } from '../access/bus-day.ts';
import { findKnownCamera } from '../access/camera.ts';
import { listOwnPeriods } from '../access/own-days.ts';
import { inSnapshot } from '../core/db/snapshot.ts';
import { AppError } from '../core/errors.ts';
import { AnswerCache } from '../core/http/answer-cache.ts';
import { serve } from '../core/http/http.ts';
import { sendCached, sendUnchanged } from '../core/http/send-cached.ts';
import { loadKeys } from '../core/signing-keys.ts';
import { findDayBounds } from '../days/bus-days.ts';
import type { Feature } from '../deps.ts';
import { expiryOf } from '../media/serving/sign.ts';
import { findRecordTag } from '../money/day-money.ts';
import { buildDay } from './day.ts';
import { findFragmentAnswer, listCameraFragments } from './fragment-answers.ts';

/** A bus's day and a camera's fragments. */
export const addBusDay: Feature = async (app, deps, auth) => {
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', deps.clock.nowMs());
  const cache = new AnswerCache();
  const findDayGate = createDayGate(deps);

  serve(app, auth, contract.listDayFragments, 'user', async ({ viewer, query, request, reply }) => {
    const gate = await findDayGate(viewer, query.workplaceId, query.date);
    const nowMs = deps.clock.nowMs();
    // Signed addresses belong to the session and stay the same for an hour: both are part of the cache key.
    const holds = [gate.version, viewer.sessionId, expiryOf(nowMs)];
    const { timezone, countPassengersInside, unitId, unitsTellChildren } = gate;
    const { hasCalculator, isOwn, hiddenRoutes } = gate;
    const waits = gate.isEditPending;
    const settings = [
      timezone,
      countPassengersInside,
      unitId,
      unitsTellChildren,
      hasCalculator,
      isOwn,
      hiddenRoutes,
      waits,
    ];
    // A day without data has no version, and shows the fare of an earlier day.
    const question = { busId: gate.busId, day: query.date };
    const tag = gate.version === 0 ? await findRecordTag(db, question) : '';
    const key = [gate.busId, query.date, ...holds, ...settings, tag].join(':');
    if (sendUnchanged(request, reply, key, 'no-store')) return undefined;
    const answer = await cache.find(key, () =>
      inSnapshot(db, (tx) =>
        buildDay(tx, { ...gate, date: query.date }, { keys, holder: viewer, nowMs }),
      ),
    );
    return sendCached(request, reply, answer, 'no-store');
  });

  serve(app, auth, contract.listPeriods, 'user', async ({ viewer, params, query }) => {
    const camera = await findKnownCamera(db, viewer, params.cameraId);
    if (query.enddate < query.startdate) {
      throw new AppError('invalid_request', 'is before startdate', { field: 'enddate' });
    }
    const gate = await findDayGate(viewer, camera.busId, query.startdate);
    const { startMs } = gate;
    const { endMs } = await findDayBounds(db, camera.busId, query.enddate);
    if (endMs - startMs > MAX_STAT_DAYS * 24 * 3_600_000) {
      throw new AppError('invalid_request', 'is more than 5 years after startdate', {
        field: 'enddate',
      });
    }
    const signing = { keys, holder: viewer, nowMs: deps.clock.nowMs() };
    const found = await listCameraFragments(db, camera, startMs, endMs, signing, 'enddate');
    const own = (await listOwnPeriods(db, viewer, [camera.busId])).get(camera.busId) ?? [];
    const items = found.filter(({ start_time }) => {
      const atMs = Date.parse(start_time);
      return own.some((period) => atMs >= period.startMs && atMs < period.endMs);
    });
    return { items, number: 0, total: items.length };
  });

  serve(app, auth, contract.findFragment, 'user', ({ viewer, params }) =>
    findFragmentAnswer(db, viewer, params.segmentId, keys, deps.clock.nowMs()),
  );
};
