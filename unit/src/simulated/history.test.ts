import { dayRange } from '@ridewatch/contract/day';
import { expect, it } from 'vitest';
import { createDays } from './days.ts';
import { sendHistory } from './history.ts';
import { planFleet } from './plan.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

const { buses } = planFleet(6);

it('a unit of another protocol without an answer holds up no other unit', async () => {
  const told: string[] = [];
  let asked = 0;
  const units = buses.map((bus, index) => {
    const { startMs } = dayRange('2026-11-18', bus.zone);
    const unit = {
      ...{ bus, sentUntilMs: startMs, sentFromMs: startMs },
      sendUntil: async (untilMs: number) => {
        if (index === 0) {
          asked += 1;
          return 0;
        }
        unit.sentUntilMs = untilMs;
        return 10;
      },
    };
    return unit as unknown as SimulatedUnit;
  });
  const stored = await sendHistory(units, {
    days: createDays(1, 8),
    untilMs: ({ bus }) => dayRange('2026-11-20', bus.zone).startMs,
    signal: AbortSignal.any([]),
    onDay: async ({ bus }, day) => void told.push(`${bus.deviceId} ${day}`),
  });
  const others = buses.slice(1).flatMap(({ deviceId }) => {
    return ['2026-11-18', '2026-11-19'].map((day) => `${deviceId} ${day}`);
  });
  expect(told.toSorted()).toEqual(others.toSorted());
  expect([stored, asked]).toEqual([100, 1]);
});
