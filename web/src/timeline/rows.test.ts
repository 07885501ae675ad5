import type { Camera } from '@ridewatch/contract/buses';
import { fragmentTag } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { describe, expect, it } from 'vitest';
import { tickAt } from './blocks.ts';
import { hitTest, layoutOf } from './layout.ts';
import { blockKind, timelineRows } from './rows.ts';

const START_MS = Date.parse('2026-11-20T05:00:00Z');
const camera = { id: 3, name: 'Дверь 1', live: false } as Camera;
const fragment = {
  id: 7,
  cameraId: 3,
  start_time: '2026-11-20T05:00:00Z',
  end_time: '2026-11-20T05:01:40Z',
  status: 'PROCESSED',
  entered: { adult: 2, kids: 1 },
  exited: { adult: 1, kids: 0 },
  events: [
    { offset_ms: 40_000, entered: 3, exited: 0 },
    { offset_ms: 90_000, entered: 0, exited: 1 },
  ],
} as Fragment;

describe('the rows of a timeline', () => {
  const rows = timelineRows([camera], [fragment, { ...fragment, id: 8, cameraId: 4 }]);

  it('hold the fragments of their camera, and the moments at which people were counted', () => {
    expect(rows[0]?.blocks.map(({ id, entered, exited }) => [id, entered, exited])).toEqual([
      [7, 3, 1],
    ]);
    expect(rows[0]?.ticks.map(({ momentMs }) => momentMs - START_MS)).toEqual([40_000, 90_000]);
  });

  it('lead from a mark above a block to the moment of the mark', () => {
    const layout = layoutOf(rows);
    const view = { startMs: START_MS, endMs: START_MS + 100_000 };
    // The mark is at 400 px; two pixels beside it still hit it.
    const onMark = hitTest({ xPx: 402, yPx: 3 }, rows, layout, view, 1000);
    expect([onMark.block?.id, onMark.momentMs - START_MS]).toEqual([7, 40_000]);
    const onBar = hitTest({ xPx: 402, yPx: layout.marksPx + 3 }, rows, layout, view, 1000);
    expect([onBar.tick, onBar.momentMs - START_MS]).toEqual([undefined, 40_200]);
  });

  it('know the nearer of two marks', () => {
    const ticks = rows[0]?.ticks ?? [];
    expect(tickAt(ticks, START_MS + 70_000, 60_000)?.momentMs).toBe(START_MS + 90_000);
    expect(tickAt(ticks, START_MS + 60_000, 10_000)).toBeUndefined();
  });
});

describe('a fragment that lies on the registrar only', () => {
  it('is told apart from those on their way, on the timeline as in the list', () => {
    expect(blockKind('LIVE', false)).toBe('live');
    expect(fragmentTag('LIVE', false)).toBe('success');
    expect(blockKind('ADDED', false)).toBe('waiting');
    expect(fragmentTag('ADDED', false)).toBe('neutral');
  });

  it('or was deleted here says so, until it is on its way again', () => {
    const deleted = { ...fragment, video: null, video_deleted_at: '2026-11-21T01:17:00Z' };
    const kindOf = (one: object) =>
      timelineRows([camera], [{ ...deleted, ...one } as Fragment])[0]?.blocks[0]?.kind;
    expect(kindOf({})).toBe('deleted');
    expect(kindOf({ status: 'LOADING' })).toBe('waiting');
    expect(kindOf({ status: 'DOWNLOAD_FAIL' })).toBe('error');
  });

  it('whose request was cancelled is no failed one', () => {
    const cancelled = {
      ...fragment,
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'cancelled',
    } as Fragment;
    expect(timelineRows([camera], [cancelled])[0]?.blocks[0]?.kind).toBe('cancelled');
  });

  it('of a service camera is finished when it is loaded', () => {
    expect(blockKind('LOADED', true)).toBe('processed');
    expect(blockKind('LOADED', false)).toBe('waiting');
  });
});
