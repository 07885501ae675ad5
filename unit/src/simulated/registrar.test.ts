import { dayRange } from '@ridewatch/contract/day';
import { describe, expect, it } from 'vitest';
import { busDay } from './day.ts';
import { planFleet } from './plan.ts';
import { streamOf } from './records.ts';
import { listRecorded, recordedAnnouncement, recordedStreamOf } from './registrar.ts';

const SEED = 1;
const DAY = '2026-11-20';
const HOUR_MS = 3_600_000;
const [bus] = planFleet(1).buses;
if (bus === undefined) throw new Error('no bus');
const day = busDay(SEED, bus, DAY);
const noonMs = dayRange(DAY, bus.zone).startMs + 12 * HOUR_MS;
const hour = { startMs: noonMs, endMs: noonMs + HOUR_MS };
const later = day.endMs;

describe("a simulated registrar's recording of the cabin", () => {
  it('fills an hour together with what is announced by itself, without a gap or an overlap', () => {
    const announced = day.fragments.filter(
      ({ camera, startMs }) => camera.live && startMs >= hour.startMs && startMs < hour.endMs,
    );
    const recorded = listRecorded(SEED, day, 'cabin1', hour, later).map((one) => one.fragment);
    const all = [...announced, ...recorded].sort((a, b) => a.startMs - b.startMs);
    expect(announced.length).toBeGreaterThan(0);
    expect(all.at(0)?.startMs).toBe(hour.startMs);
    expect(all.at(-1)?.endMs).toBe(hour.endMs);
    expect(all.slice(1).every((one, index) => one.startMs === all[index]?.endMs)).toBe(true);
  });

  it('is cut at the same places whatever part is asked for, and named the same', () => {
    const part = { startMs: noonMs + 25 * 60_000, endMs: noonMs + 26 * 60_000 };
    const whole = listRecorded(SEED, day, 'cabin1', hour, later).map(recordedAnnouncement);
    const asked = listRecorded(SEED, day, 'cabin1', part, later).map(recordedAnnouncement);
    expect(asked).toHaveLength(1);
    expect(whole).toContainEqual(asked[0]);
    expect(recordedStreamOf(streamOf(SEED, day))).not.toBe(streamOf(SEED, day));
    expect(new Set(whole.map(({ seq }) => seq)).size).toBe(whole.length);
  });

  it('has nothing of what is still to come, of doors, or of a bus that stands in its depot', () => {
    expect(listRecorded(SEED, day, 'cabin1', hour, noonMs)).toEqual([]);
    expect(listRecorded(SEED, day, 'door1', hour, later)).toEqual([]);
    const night = { startMs: day.startMs, endMs: day.startMs + HOUR_MS };
    expect(listRecorded(SEED, day, 'cabin1', night, later)).toEqual([]);
  });
});
