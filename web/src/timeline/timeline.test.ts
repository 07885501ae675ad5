import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blockAt, blocksWithin, isCondensed } from './blocks.ts';
import { hitTest, layoutOf } from './layout.ts';
import { axisMoments, MIN_SPAN_MS, momentAt, pan, reveal, xOf, zoomAt } from './time-view.ts';

const HOUR_MS = 3_600_000;
const day = { startMs: 0, endMs: 24 * HOUR_MS };

const block = (id: number, startMs: number, endMs: number): Block => ({
  id,
  startMs,
  endMs,
  kind: 'processed',
  entered: 0,
  exited: 0,
});

const views = fc
  .tuple(fc.integer({ min: 0, max: 23 * HOUR_MS }), fc.integer({ min: MIN_SPAN_MS, max: HOUR_MS }))
  .map(([startMs, span]) => ({ startMs, endMs: startMs + span }));

describe('the view of a timeline', () => {
  it('finds the moment under a pixel and the pixel of a moment alike', () => {
    fc.assert(
      fc.property(views, fc.integer({ min: 0, max: 1000 }), (view, x) => {
        expect(xOf(momentAt(x, view, 1000), view, 1000)).toBeCloseTo(x, 3);
      }),
    );
  });

  it('keeps the moment under the pointer in its place while zooming in', () => {
    const view = { startMs: 8 * HOUR_MS, endMs: 16 * HOUR_MS };
    const anchor = 10 * HOUR_MS;
    const closer = zoomAt(view, day, anchor, 2);
    expect(closer.endMs - closer.startMs).toBe(4 * HOUR_MS);
    expect(xOf(anchor, closer, 800)).toBeCloseTo(xOf(anchor, view, 800), 6);
  });

  it('never leaves the day and never comes closer than a minute', () => {
    fc.assert(
      fc.property(
        views,
        fc.integer({ min: 0, max: 24 * HOUR_MS }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }),
        (view, anchor, factor, by) => {
          for (const next of [zoomAt(view, day, anchor, factor), pan(view, day, by)]) {
            expect(next.startMs).toBeGreaterThanOrEqual(day.startMs);
            expect(next.endMs).toBeLessThanOrEqual(day.endMs + 1e-6);
            expect(next.endMs - next.startMs).toBeGreaterThanOrEqual(MIN_SPAN_MS - 1e-6);
          }
        },
      ),
    );
  });

  it('moves only when the moment is out of sight', () => {
    const view = { startMs: 8 * HOUR_MS, endMs: 10 * HOUR_MS };
    expect(reveal(view, day, 9 * HOUR_MS)).toBe(view);
    expect(reveal(view, day, 20 * HOUR_MS)).toEqual({ startMs: 19 * HOUR_MS, endMs: 21 * HOUR_MS });
  });

  it('names round local hours, also when the day starts at half past in UTC', () => {
    const kolkata = { startMs: -5.5 * HOUR_MS, endMs: 18.5 * HOUR_MS };
    const moments = axisMoments(kolkata, kolkata, 900, 60);
    expect(moments.every((moment) => ((moment - kolkata.startMs) / HOUR_MS) % 1 === 0)).toBe(true);
    expect(moments[0]).toBe(kolkata.startMs);
  });

  it('keeps axis labels apart on days of 23, 24 and 25 hours', () => {
    for (const hours of [23, 24, 25]) {
      const bounds = { startMs: 0, endMs: hours * HOUR_MS };
      const xs = axisMoments(bounds, bounds, 700, 56).map((moment) => xOf(moment, bounds, 700));
      for (let index = 1; index < xs.length; index += 1) {
        expect((xs[index] ?? 0) - (xs[index - 1] ?? 0)).toBeGreaterThan(55.999);
      }
    }
  });
});

describe('the blocks of a timeline', () => {
  it('finds a long block that began before the view', () => {
    const blocks = [block(1, 0, 100), block(2, 10, 20), block(3, 30, 40), block(4, 150, 160)];
    expect(blocksWithin(blocks, { startMs: 35, endMs: 120 }).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('hits the block under the pointer, the later one of two that overlap', () => {
    const blocks = [block(1, 0, 100), block(2, 50, 80)];
    expect(blockAt(blocks, 20, 0)?.id).toBe(1);
    expect(blockAt(blocks, 60, 0)?.id).toBe(2);
    expect(blockAt(blocks, 90, 0)?.id).toBe(1);
  });

  it('hits the nearest block within the slack and nothing beyond it', () => {
    const blocks = [block(1, 0, 10), block(2, 100, 110)];
    expect(blockAt(blocks, 14, 5)?.id).toBe(1);
    expect(blockAt(blocks, 96, 5)?.id).toBe(2);
    expect(blockAt(blocks, 50, 5)).toBeUndefined();
  });

  it('agrees with looking at every block', () => {
    const some = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 300 })), {
        maxLength: 60,
      })
      .map((pairs) =>
        pairs
          .toSorted((a, b) => a[0] - b[0])
          .map(([start, length], index) => block(index + 1, start, start + length)),
      );
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 5300 }), (blocks, moment) => {
        const containing = blocks.filter((b) => b.startMs <= moment && moment < b.endMs);
        expect(blockAt(blocks, moment, 0)?.id).toBe(containing.at(-1)?.id);
      }),
    );
  });

  it('is condensed above 20 periods in a row', () => {
    const row = (count: number) => ({
      id: 1,
      label: '',
      ticks: [],
      blocks: Array.from({ length: count }, (_, index) => block(index, index * 10, index * 10 + 5)),
    });
    expect(isCondensed([row(20)])).toBe(false);
    expect(isCondensed([row(3), row(21)])).toBe(true);
  });

  it('names the row and the block under a point', () => {
    const rows = [
      { id: 1, label: 'a', ticks: [], blocks: [block(1, 0, HOUR_MS)] },
      { id: 2, label: 'b', ticks: [], blocks: [block(2, HOUR_MS, 2 * HOUR_MS)] },
    ];
    const layout = layoutOf(rows);
    const at = (xPx: number, row: number) =>
      hitTest({ xPx, yPx: (row + 0.5) * layout.rowPx }, rows, layout, day, 2400).block?.id;
    expect(at(50, 0)).toBe(1);
    expect(at(50, 1)).toBeUndefined();
    expect(at(150, 1)).toBe(2);
    expect(at(150, 2)).toBeUndefined();
  });

  it('lie below the axis that a chart above shares, and nothing is on the axis', () => {
    const rows = [{ id: 1, label: 'a', ticks: [], blocks: [block(1, 0, HOUR_MS)] }];
    const layout = layoutOf(rows, true, { axisAt: 'top' });
    const at = (yPx: number) => hitTest({ xPx: 50, yPx }, rows, layout, day, 2400).block?.id;
    expect([at(0), at(layout.axisPx - 1)]).toEqual([undefined, undefined]);
    expect(at(layout.axisPx + layout.rowPx / 2)).toBe(1);
    expect(at(layout.axisPx + layout.rowPx + 1)).toBeUndefined();
    expect(layout.heightPx).toBe(layoutOf(rows, true).heightPx);
  });
});
