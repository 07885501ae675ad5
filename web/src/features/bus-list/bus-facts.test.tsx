import { describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { bus, camera } from '../../test/made.ts';
import { boardBus } from '../../test/made-board.ts';
import { factsOf, needsAttention } from './bus-facts.ts';

const kindsOf = (more: Parameters<typeof boardBus>[1], canReview = true) =>
  factsOf(bus(1, { cameras: [camera(4)] }), boardBus(1, more), NOW, canReview).marks.map(
    ({ kind }) => kind,
  );

describe('what needs attention', () => {
  it('is a bus that is silent, not one that is off', () => {
    expect(kindsOf({ state: 'silent' })).toEqual(['silent']);
    expect(kindsOf({ state: 'off', inside: 50 })).toEqual([]);
  });

  it('is less a fault once the bus is silent for longer than a weekend', () => {
    const kinds = (hours: number) => {
      const seen = new Date(Date.parse(NOW) - hours * 3_600_000).toISOString();
      const figures = boardBus(1, { state: 'silent' });
      return factsOf(bus(1, { last_seen_at: seen }), figures, NOW, true).marks.map(
        ({ kind }) => kind,
      );
    };
    expect(kinds(71)).toEqual(['silent']);
    expect(kinds(73)).toEqual(['lost']);
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
