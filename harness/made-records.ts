import type { SegmentRecord, UnitRecord } from '@ridewatch/contract/unit';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';

/** The content of a record without its number; it must be stored once. */
export function contentOf(record: UnitRecord): string {
  const { seq: _, ...content } = record;
  return JSON.stringify(content);
}

/** Whether a record announces a video that the unit will upload. */
export const isVideo = (record: UnitRecord): record is SegmentRecord =>
  record.type === 'segment' && record.video === 'queued';

/**
 * Creates a generator of records of every kind, one a second of a past morning, so that all times differ. Every 20 s it
 * makes a fragment, queued if `withVideo`. All have the number 0.
 * @param daysBack days between that morning and yesterday's, for callers that make many records
 */
export function recordMaker(chance: Chance, daysBack = 0): (withVideo: boolean) => UnitRecord {
  const morningMs = new Date().setUTCHours(0, 0, 0, 0) - 20 * 3_600_000 - daysBack * 86_400_000;
  let second = 0;
  return (withVideo) => {
    second += 1;
    const atMs = morningMs + second * 1000;
    const time = new Date(atMs).toISOString();
    if (second % 20 === 0) {
      const start_time = new Date(atMs - 15_000).toISOString();
      const about = { camera: 'door1', start_time, end_time: time, max_objects_count: 3 };
      return { type: 'segment', seq: 0, time, ...about, video: withVideo ? 'queued' : 'kept' };
    }
    switch (chance.choose([5, 4, 1])) {
      case 0:
        return {
          type: 'position',
          seq: 0,
          time,
          fix: true,
          latitude: Math.round(chance.between(55e6, 56e6)) / 1e6,
          longitude: Math.round(chance.between(37e6, 38e6)) / 1e6,
          speed_kmh: Math.round(chance.between(0, 600)) / 10,
          course: Math.floor(chance.between(0, 360)),
        };
      case 1:
        return {
          type: 'passenger',
          seq: 0,
          time,
          door: chance.happens(0.5) ? 1 : 2,
          direction: chance.happens(0.5) ? 'entered' : 'exited',
          passenger: chance.happens(0.2) ? 'child' : 'adult',
          count: 1 + Math.floor(chance.between(0, 3)),
        };
      default:
        return {
          type: 'camera_state',
          seq: 0,
          time,
          camera: 'door2',
          status: chance.happens(0.5) ? 'online' : 'offline',
        };
    }
  };
}
