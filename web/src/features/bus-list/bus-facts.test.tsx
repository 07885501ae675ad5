import { describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { bus, camera } from '../../test/made.ts';
import { boardBus } from '../../test/made-board.ts';
import { factsOf, needsAttention } from './bus-facts.ts';
import { differentDaysOf } from './local-day.ts';

const kindsOf = (more: Parameters<typeof boardBus>[1], canReview = true) =>
  factsOf(bus(1, { cameras: [camera(4)] }), boardBus(1, more), NOW, canReview).marks.map(
    ({ kind }) => kind,
  );

describe('what needs attention', () => {
  it('is a bus that is silent, which its state says, not one that is off', () => {
    const facts = (state: 'silent' | 'off') =>
      factsOf(bus(1), boardBus(1, { state, inside: 50 }), NOW, true);
    expect([facts('silent').marks, needsAttention(facts('silent'))]).toEqual([[], true]);
    expect([facts('off').marks, needsAttention(facts('off'))]).toEqual([[], false]);
  });

  it('is less a fault once the bus is silent for longer than a weekend', () => {
    const silence = (hours: number) => {
      const seen = new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
      const figures = boardBus(1, { state: 'silent' });
      return factsOf(bus(1, { last_seen_at: seen }), figures, NOW, true).silence;
    };
    expect(silence(71)).toBe('error');
    expect(silence(73)).toBe('attention');
  });

  it('marks a bus whose local day is not that of most, from midnight to midnight', () => {
    const buses = [
      bus(1),
      bus(2),
      bus(3, { timezone: 'Asia/Yekaterinburg' }),
      bus(4, { timezone: 'Europe/Kaliningrad' }),
    ];
    const daysAt = (moment: string) => buses.map(differentDaysOf(buses, moment));
    expect(daysAt('2026-03-10T18:59:59Z')).toEqual([undefined, undefined, undefined, undefined]);
    expect(daysAt('2026-03-10T19:00:00Z')).toEqual([undefined, undefined, '11.03', undefined]);
    expect(daysAt('2026-03-10T21:00:00Z')).toEqual([undefined, undefined, undefined, '10.03']);
    expect(factsOf(bus(3), boardBus(3), NOW, true, { day: '11.03' }).marks).toEqual([
      { kind: 'day', level: 'note', day: '11.03' },
    ]);
  });

  it('says of a bus that passes to another customer from when on, and to whom', () => {
    const passing = bus(1, { passes: { from: '2026-03-11', until_then: [20] } });
    expect(factsOf(passing, boardBus(1), NOW, true, { next: 'Юг' })).toMatchObject({
      ...{ marks: [{ kind: 'passes', level: 'note', day: '11.03.2026', to: 'Юг' }], gravity: 1 },
    });
  });

  it('is a camera that is offline, by its name', () => {
    const { marks } = factsOf(
      bus(1, { cameras: [camera(4)] }),
      boardBus(1, { offline_cameras: [4] }),
      NOW,
      true,
    );
    expect(marks).toEqual([{ kind: 'camera', level: 'error', name: 'Дверь 4', more: 0 }]);
  });

  it('is a bus nine tenths full', () => {
    expect(kindsOf({ inside: 45 })).toEqual(['full']);
    expect(kindsOf({ inside: 44 })).toEqual([]);
    expect(kindsOf({ inside: 44, places: null })).toEqual([]);
  });

  it('has the gravest first; notes alone need none', () => {
    const all = { offline_cameras: [4], imbalance_percent: 14, no_price: 3, waiting: 2 };
    expect(kindsOf(all)).toEqual(['camera', 'imbalance', 'no_price', 'review']);
    const facts = factsOf(bus(1), boardBus(1, { no_price: 3, waiting: 2 }), NOW, true);
    expect([facts.gravity, needsAttention(facts)]).toEqual([1, false]);
  });

  it('shows what waits for review only to those who review', () =>
    expect(kindsOf({ waiting: 2 }, false)).toEqual([]));

  it('is unknown before the figures', () =>
    expect(factsOf(bus(1), undefined, undefined, true)).toMatchObject({
      state: undefined,
      marks: [],
    }));
});
