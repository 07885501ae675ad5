import {
  cancelPreload as cancelPreloadCall,
  endAhead,
  MAX_PRELOAD_MS,
  preloadRange,
  type UnaskedPart,
} from '@ridewatch/contract/preload';
import { sql } from 'kysely';
import { findKnownCamera } from '../access/camera.ts';
import { findBusDuring, findKnownBus } from '../access/own-days.ts';
import { isOwnMoment } from '../access/visible.ts';
import { listCameraFragments } from '../bus-day/fragment-answers.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import { checkVideo } from '../core/video-off.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import {
  type Assignment,
  type BusCameras,
  findBusCameras,
  listAssignmentsDuring,
} from '../fetching/bus-cameras.ts';
import { cancelPreload } from '../fetching/cancel-preload.ts';
import { canSend } from '../fetching/fetch-fragment.ts';
import { preload } from '../fetching/preload.ts';
import { findRangeRequest, listRangeRequests } from '../fetching/preload-progress.ts';

/** A part of a range, and the unit that recorded it. */
interface Part {
  readonly assigned: Assignment;
  readonly bus: BusCameras;
  readonly cameras: BusCameras['cameras'];
}

function unaskedPartOf({ assigned, bus }: Part, viewer: Viewer): UnaskedPart {
  return {
    start_time: new Date(assigned.startMs).toISOString(),
    end_time: new Date(assigned.endMs).toISOString(),
    device_id: viewer.role === 'ADMIN' ? bus.deviceName : null,
    reason: bus.isSilent ? 'silent' : 'offline',
  };
}

/** Requests for ranges of recordings. */
export const addPreload: Feature = async (app, { database, clock, videoOff }, auth) => {
  const { db } = database;
  const keys = await loadKeys(db, 'video', clock.nowMs());

  // All cameras of a unit's bus, or one.
  const findTarget = async (viewer: Viewer, deviceId?: number, cameraId?: number) => {
    if ((deviceId === undefined) === (cameraId === undefined)) {
      throw new AppError('invalid_request', 'must be given, or cameraId, but not both', {
        field: 'deviceId',
      });
    }
    if (cameraId !== undefined) return findKnownCamera(db, viewer, cameraId);
    const unit = await db
      .selectFrom('units')
      .select('workplace_id')
      .where('id', '=', deviceId ?? 0)
      .executeTakeFirst();
    if (!unit?.workplace_id) throw notFound();
    const { id } = await findKnownBus(db, viewer, unit.workplace_id);
    return { busId: id, id: undefined };
  };

  serve(app, auth, preloadRange, 'user', async ({ viewer, body, actor }) => {
    const target = await findTarget(viewer, body.deviceId, body.cameraId);
    const range = { startMs: Date.parse(body.startTime), endMs: Date.parse(body.endTime) };
    if (range.endMs <= range.startMs) {
      throw new AppError('invalid_request', 'Nothing is selected.', { field: 'endTime' });
    }
    if (range.endMs - range.startMs > MAX_PRELOAD_MS) {
      const message = 'The selected section is too large, choose less than an hour.';
      throw new AppError('invalid_request', message, { field: 'endTime' });
    }
    const nowMs = clock.nowMs();
    const ahead = endAhead(range, nowMs);
    if (ahead !== undefined) {
      throw new AppError('time_ahead', 'lies in the future: nothing is recorded yet', {
        field: ahead,
      });
    }
    await findBusDuring(db, viewer, target.busId, range, 'startTime');
    // The recordings are with the units that sat in the bus then, each with its part.
    const parts: Part[] = [];
    for (const assigned of await listAssignmentsDuring(db, target.busId, range)) {
      const bus = await findBusCameras(db, target.busId, nowMs, assigned.unitId);
      const cameras = bus.cameras.filter(
        ({ camera_id }) => target.id === undefined || camera_id === target.id,
      );
      parts.push({ assigned, bus, cameras });
    }
    const [last] = parts.slice(-1);
    if (last === undefined) throw new AppError('conflict', 'The bus had no registrar then.');
    const who = { userId: viewer.userId, busId: target.busId };
    checkVideo(videoOff);
    // A unit that is not heard keeps nobody from the part of another one. The answer says what was not asked for.
    const able = parts.filter(({ cameras }) => cameras.some(canSend));
    const unasked = parts
      .filter((part) => !able.includes(part))
      .map((part) => unaskedPartOf(part, viewer));
    for (const { assigned, bus, cameras } of able.length > 0 ? able : [last]) {
      await preload(db, actor, bus, cameras, who, assigned, nowMs);
    }
    const cameraIds = last.cameras.map(({ camera_id }) => camera_id);
    const signing = { keys, holder: viewer, nowMs };
    const lists = await Promise.all(
      cameraIds.map((id) =>
        listCameraFragments(db, { id, busId: target.busId }, range.startMs, range.endMs, signing),
      ),
    );
    const items = lists.flat();
    const asked = await listRangeRequests(db, viewer, target.busId, nowMs);
    const wanted = new Set(cameraIds);
    const requests = asked.filter(({ camera_ids }) => camera_ids.some((id) => wanted.has(id)));
    return { items, number: 0, total: items.length, requests, unasked };
  });

  serve(app, auth, cancelPreloadCall, 'user', async ({ viewer, actor, params }) => {
    const request = await db
      .selectFrom('preloads')
      .select(['id'])
      .where('id', '=', params.requestId)
      .where(isOwnMoment(viewer, sql.ref('preloads.workplace_id'), sql.ref('preloads.from_time')))
      .executeTakeFirst();
    if (request === undefined) throw notFound();
    const { id } = request;
    await cancelPreload(db, actor, id, clock.nowMs());
    return findRangeRequest(db, id, clock.nowMs());
  });
};
