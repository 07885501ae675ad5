import { afterEach, expect, it } from 'vitest';
import { packPoints } from '../../positions/pack.ts';
import { drive, positionsOf, thereAndBack } from '../../test/drive.ts';
import { DayLimitError } from './day-limit.ts';
import type { PackedDay } from './packed-day.ts';
import { createDayThreads, type DayThreads } from './thread.ts';

const START_MS = Date.parse('2026-03-10T00:00:00Z');
const HOUR_MS = 3_600_000;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const { points } = drive(street, { seed: 1, startMs: START_MS + HOUR_MS, laps: 2 });

function dayWith(events: number): PackedDay {
  const { timeMs, latitude, longitude, speedKmh } = positionsOf(points);
  const packed = packPoints(
    [...timeMs].map((ms, seq) => ({
      streamId: 1,
      seq,
      sentMs: Math.round(ms),
      offsetMs: 0,
      latitudeE6: Math.round((latitude[seq] ?? 0) * 1e6),
      longitudeE6: Math.round((longitude[seq] ?? 0) * 1e6),
      speedE1: Math.round((speedKmh[seq] ?? 0) * 10),
      course: null,
      satellites: null,
      hdopE1: null,
    })),
  );
  const [fromMs, toMs] = [START_MS, START_MS + 24 * HOUR_MS];
  return {
    startMs: fromMs,
    endMs: toMs,
    nowMs: toMs,
    positions: [{ fromMs, toMs, bytes: packed }],
    route: null,
    events: Array.from({ length: events }, (_, n) => ({
      timeMs: START_MS + HOUR_MS + n,
      direction: 'entered' as const,
      count: 1,
    })),
  };
}

let threads: DayThreads | undefined;
afterEach(() => threads?.close());

it('a thread works out a day', async () => {
  threads = createDayThreads();
  const { laps } = await threads.computeDay(dayWith(3));
  expect(laps.map(({ entered }) => entered)).toEqual([3]);
});

it('a day that takes too long is ended, and the one behind it is worked out', async () => {
  threads = createDayThreads({ maxComputationMs: 1 });
  const both = await Promise.allSettled([
    threads.computeDay(dayWith(3)),
    threads.computeDay(dayWith(3)),
  ]);
  for (const one of both) {
    expect(one.status === 'rejected' && one.reason).toEqual(new DayLimitError('too_long'));
  }
});

it('a day that takes too much memory ends its thread and nothing else', async () => {
  threads = createDayThreads({ maxHeapMb: 24 });
  await expect(threads.computeDay(dayWith(400_000))).rejects.toEqual(
    new DayLimitError('too_large'),
  );
  const { laps } = await threads.computeDay(dayWith(3));
  expect(laps).toHaveLength(1);
});

it('one who asks while too many wait is told to come back', async () => {
  threads = createDayThreads();
  const asked = Array.from({ length: 18 }, () => threads?.computeDay(dayWith(1)));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
  expect(refused.map((one) => one.status === 'rejected' && one.reason)).toMatchObject([
    { code: 'unavailable', retryAfterS: 10 },
  ]);
});
