import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import { expect, it } from 'vitest';
import { UplinkError } from '../uplink/connection.ts';
import type { Timers } from '../uplink/timers.ts';
import { sendEarlierDays } from './earlier-days.ts';
import { planFleet } from './plan.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

const { buses } = planFleet(3);
const TODAY = '2026-11-20';
const START_MS = Date.parse('2026-11-20T09:00:00Z');
const MINUTE_MS = 60_000;

/** A clock that advances only by `sleep`. */
function patientTimers(): Timers {
  let nowMs = START_MS;
  return {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
}

interface Behaviour {
  readonly isLinked?: (momentMs: number) => boolean;
  /** Days that the server refuses. */
  readonly refused?: readonly string[];
  /** Days that take two minutes. */
  readonly slow?: readonly string[];
  /** A unit of another protocol has an answer only after this moment, ms since 1970 UTC. */
  readonly answeredFromMs?: number;
}

async function send(behaviours: readonly Behaviour[], isLast: (index: number) => boolean) {
  const timers = patientTimers();
  const sent: { bus: number; day: string; atMs: number }[] = [];
  const failed: number[] = [];
  const units = behaviours.map((behaviour, index) => {
    const { isLinked = () => true, refused = [], slow = [], answeredFromMs = 0 } = behaviour;
    const bus = buses[index];
    if (bus === undefined) throw new Error('The fleet is too small.');
    const unit = {
      bus,
      sentFromMs: dayRange(TODAY, bus.zone).startMs,
      isLinked,
      sendDayBefore: async () => {
        const day = addDays(dayOf(unit.sentFromMs, bus.zone), -1);
        if (timers.nowMs() < answeredFromMs) return 0;
        if (refused.includes(day)) throw new UplinkError('401', 401, 'unauthorized');
        unit.sentFromMs = dayRange(day, bus.zone).startMs;
        sent.push({ bus: index, day, atMs: timers.nowMs() - START_MS });
        if (slow.includes(day)) await timers.sleep(2 * MINUTE_MS);
        return 10;
      },
    };
    return unit as unknown as SimulatedUnit;
  });
  const stored = await sendEarlierDays(units, {
    firstMs: ({ bus }) => dayRange(addDays(TODAY, -3), bus.zone).startMs,
    isLast: (unit) => isLast(units.indexOf(unit)),
    withinMs: 9 * MINUTE_MS,
    timers,
    signal: new AbortController().signal,
    onDay: async () => {},
    onFailure: (unit) => failed.push(units.indexOf(unit)),
  });
  return { stored, sent, failed, shown: sent.map(({ bus, day }) => `${bus} ${day.slice(-2)}`) };
}

it('the newest day of all buses comes first, evenly over the time, and the last unit after all others', async () => {
  const { stored, sent, shown } = await send([{}, {}, {}], (index) => index === 0);
  const others = ['1 19', '2 19', '1 18', '2 18', '1 17', '2 17'];
  expect(shown).toEqual([...others, '0 19', '0 18', '0 17']);
  expect(sent.map(({ atMs }) => atMs / MINUTE_MS)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(stored).toBe(90);
});

it('after a day that took long the others come a little faster, until they are in time again', async () => {
  const { sent } = await send([{}, { slow: ['2026-11-18'] }, {}], () => false);
  const minutes = sent.map(({ atMs }) => Math.round(atMs / 6000) / 10);
  expect(minutes).toEqual([0, 1, 2, 3, 4, 6, 6.7, 7.4, 8.1]);
});

it('a unit whose link is broken sends its days later, in the same order', async () => {
  const isLinked = (momentMs: number): boolean => momentMs > START_MS + 3.5 * MINUTE_MS;
  const { shown } = await send([{ isLinked }, {}], () => false);
  expect(shown).toEqual(['1 19', '1 18', '1 17', '0 19', '0 18', '0 17']);
});

it('a unit that the server refuses sends no older days, and the others go on', async () => {
  const { shown, failed } = await send([{ refused: ['2026-11-18'] }, {}], () => false);
  expect(shown).toEqual(['0 19', '1 19', '1 18', '1 17']);
  expect(failed).toEqual([0]);
});

it('a unit of another protocol without an answer sends its days again, and the others do not wait', async () => {
  const answeredFromMs = START_MS + 3.5 * MINUTE_MS;
  const { shown } = await send([{}, { answeredFromMs }], () => false);
  expect(shown.toSorted()).toEqual(['0 17', '0 18', '0 19', '1 17', '1 18', '1 19']);
  expect(shown[0]).toBe('0 19');
  expect(shown.filter((one) => one.startsWith('1'))).toEqual(['1 19', '1 18', '1 17']);
});
