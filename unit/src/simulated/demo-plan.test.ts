import { dayOf, formatMoment } from '@ridewatch/contract/day';
import { ATTENTION_THRESHOLD } from '@ridewatch/contract/fragment-states';
import { expect, it } from 'vitest';
import type { SimulatedBus } from './bus.ts';
import { type Fragment, mostInView } from './day.ts';
import { createDays } from './days.ts';
import { planDemo } from './demo-plan.ts';
import { DEMO_SEED, planFleet } from './plan.ts';

const HOUR_MS = 3_600_000;
const HISTORY_DAYS = 7;
const { buses } = planFleet(12);
const days = createDays(DEMO_SEED, 150);

/** A working day and a Sunday, at hours between which the fleet changes. */
const moments = ['2026-11-20', '2026-11-22'].flatMap((day) =>
  ['00:10', '04:00', '05:50', '06:40', '09:00', '14:00', '18:30', '23:50'].map(
    (time) => `${day}T${time}:00+03:00`,
  ),
);

interface Chosen {
  bus: SimulatedBus;
  fragment: Fragment;
  isFirst: boolean;
}
function chosenAt(nowMs: number): { plan: ReturnType<typeof planDemo>; chosen: Chosen[] } {
  const plan = planDemo(buses, days, nowMs, HISTORY_DAYS);
  const chosen = buses.flatMap((bus) =>
    Array.from({ length: HISTORY_DAYS + 1 }, (_, ago) => nowMs - ago * 24 * HOUR_MS)
      .flatMap((ms) => days.find(bus, dayOf(ms, bus.zone)).fragments)
      .filter((fragment) => fragment.endMs <= nowMs && plan.isQueued(bus, fragment))
      .map((fragment) => ({ bus, fragment, isFirst: plan.isFirst(bus, fragment) })),
  );
  return { plan, chosen };
}
const isPair = ({ scene }: Fragment): boolean =>
  scene.kind === 'door' &&
  scene.door.crossings.some(({ atMs }, index) => {
    const before = scene.door.crossings[index - 1];
    return before !== undefined && atMs - before.atMs <= 250;
  });

it.each(moments)(
  'at %s the demo begins with an hour of a bus, and has enough to review',
  (moment) => {
    const { plan, chosen } = chosenAt(Date.parse(moment));
    const first = chosen.filter(({ isFirst }) => isFirst).map(({ fragment }) => fragment);
    expect(first.length).toBeLessThan(180);
    expect(first.filter((one) => mostInView(one) > ATTENTION_THRESHOLD).length).toBeGreaterThan(19);
    expect(first.filter(isPair).length).toBeGreaterThan(2);
    const { merged } = plan;
    if (merged === undefined) throw new Error('nothing is merged');
    expect(merged.endMs - merged.startMs).toBeGreaterThan(HOUR_MS / 4);
    expect(merged.endMs - merged.startMs).toBeLessThan(HOUR_MS + 120_000);
    const hour = chosen.filter(
      ({ bus, isFirst, fragment: { startMs } }) =>
        bus === merged.bus && isFirst && startMs >= merged.startMs && startMs < merged.endMs,
    );
    expect(hour.length).toBeGreaterThan(9);
  },
);

it.each(moments)(
  'at %s it goes on with that whole day, and hours of two other customers',
  (moment) => {
    const nowMs = Date.parse(moment);
    const { plan, chosen } = chosenAt(nowMs);
    expect(chosen.filter(({ isFirst }) => !isFirst)).toHaveLength(plan.laterCount);
    expect(plan.laterCount).toBeLessThan(700);
    const shown = plan.merged?.bus;
    if (shown === undefined) throw new Error('no bus is shown');
    const day = dayOf(plan.merged?.startMs ?? 0, shown.zone);
    const recorded = days
      .find(shown, day)
      .fragments.filter(({ scene, endMs }) => scene.kind === 'door' && endMs <= nowMs);
    const own = chosen.filter(({ bus, fragment }) => {
      return bus === shown && dayOf(fragment.startMs, bus.zone) === day;
    });
    expect(own).toHaveLength(recorded.length);
    const others = Map.groupBy(
      chosen.filter(({ bus }) => bus.line !== shown.line),
      ({ bus }) => bus.line,
    );
    expect([...others.values()].filter((all) => all.length > 9)).toHaveLength(2);
  },
);

it('from then on films only the bus that it shows', () => {
  const nowMs = Date.parse('2026-11-20T09:00:00+03:00');
  const { plan } = chosenAt(nowMs);
  const filmed = buses.filter((bus) =>
    days
      .find(bus, dayOf(nowMs, bus.zone))
      .fragments.some((one) => one.endMs > nowMs && plan.isQueued(bus, one)),
  );
  expect(filmed).toEqual([plan.merged?.bus]);
  expect(formatMoment(plan.merged?.startMs ?? 0, 'Europe/Moscow', 'YYYY-MM-DD')).toBe('2026-11-20');
});

it('has nothing to film in a fleet without door cameras', () => {
  const counters = buses.filter(({ cameras }) => cameras.length === 0);
  const plan = planDemo(counters, days, Date.parse('2026-11-20T09:00:00+03:00'), HISTORY_DAYS);
  expect([plan.laterCount, plan.merged]).toEqual([0, undefined]);
});
