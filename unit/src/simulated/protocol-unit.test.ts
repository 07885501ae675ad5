// A unit that takes commands in another protocol sees to its connection.
import { addDays } from '@ridewatch/contract/day';
import { expect, it } from 'vitest';
import { busDay } from './day.ts';
import { createDays } from './days.ts';
import { planFleet } from './plan.ts';
import { createProtocolUnit } from './protocol-unit.ts';

const [bus] = planFleet(0, 1, 'Europe/Moscow', ['jt808']).buses;
if (bus === undefined) throw new Error('no bus');
const linkBreak = [...Array(60).keys()]
  .flatMap((n) => busDay(1, bus, addDays('2026-11-01', n)).linkBreaks)
  .at(0);
if (linkBreak === undefined) throw new Error('no link breaks');

/** What the unit did to its connection at each of these moments. */
async function doneAt(moments: readonly number[], canConnect: boolean): Promise<string[]> {
  const done: string[] = [];
  const over = new AbortController();
  let turn = 0;
  const unit = createProtocolUnit({
    ...{ bus: bus as NonNullable<typeof bus>, days: createDays(1, 4) },
    timers: {
      nowMs: () => moments[Math.min(turn, moments.length - 1)] ?? 0,
      sleep: async () => {
        turn += 1;
        if (turn === moments.length) over.abort();
      },
    },
    teller: {
      ...{ byOpening: true, leastEveryMs: 5000, tell: async () => 0, close: async () => undefined },
      link: {
        connect: async () => {
          done.push(`connect ${turn}`);
          return canConnect;
        },
        disconnect: () => done.push(`disconnect ${turn}`),
      },
    },
  });
  await unit.runCommands(over.signal);
  return done;
}

it('connects, and is out of reach while its link is broken', async () => {
  const { startMs, endMs } = linkBreak;
  expect(await doneAt([startMs - 1000, startMs, endMs - 1, endMs], true)).toEqual([
    ...['connect 0', 'disconnect 1', 'disconnect 2', 'connect 3'],
  ]);
});

it('waits ten seconds when it cannot connect', async () => {
  const { endMs } = linkBreak;
  expect(
    await doneAt(
      [0, 2000, 9999, 10_000].map((ms) => endMs + ms),
      false,
    ),
  ).toEqual([...['connect 0', 'connect 3']]);
});
