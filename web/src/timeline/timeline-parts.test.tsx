import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPlayhead } from '../player/playhead.ts';
import { at } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { Block, TimelineRow } from './blocks.ts';
import { Timeline } from './timeline.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import { type TimeAxis, useTimelineView } from './use-timeline-view.ts';

const ms = (clock: string) => Date.parse(at(clock));
const HOUR_MS = 3_600_000;
const bounds = { startMs: ms('00:00'), endMs: ms('00:00') + 24 * HOUR_MS };
const block = (id: number, from: string, to: string, more: Partial<Block> = {}): Block => ({
  id,
  startMs: ms(from),
  endMs: ms(to),
  kind: 'processed',
  entered: 3,
  exited: 1,
  ...more,
});
const blocks = [block(1, '08:00', '08:10'), block(2, '20:00', '20:10')];
const rows: TimelineRow[] = [{ id: 1, label: 'Дверь 1', blocks, ticks: [] }];
/** Width of the timeline in the tests, px. */
const WIDTH_PX = 1000;

let axis: TimeAxis;
const playhead = createPlayhead();
const onPick = vi.fn();
beforeEach(() => {
  freshServer();
  playhead.set(null);
  onPick.mockClear();
});
function Recordings({ selected }: { selected: Block | undefined }) {
  axis = useTimelineView({ rows, bounds, playhead, selected });
  return (
    <>
      <TimelineLegend rows={rows} axis={axis} />
      <Timeline
        rows={rows}
        axis={axis}
        zone="Europe/Moscow"
        playhead={playhead}
        selected={selected}
        onPick={onPick}
        describe={({ block: of }) => <span>fragment {of?.id}</span>}
      />
    </>
  );
}
const part = (selected?: Block) => <Recordings selected={selected} />;
const show = async () => {
  const view = await showPart(part());
  // The size is measured after the first render.
  await waitFor(() =>
    expect(document.querySelector('canvas')).toHaveStyle({ width: `${WIDTH_PX}px` }),
  );
  return view;
};
const area = () => screen.getByRole('slider');
const view = () => {
  const [startMs = 0, endMs = 0] = (area().dataset.view ?? '').split('-').map(Number);
  return { startMs, endMs, spanMs: endMs - startMs };
};
const xOf = (clock: string) => ((ms(clock) - view().startMs) / view().spanMs) * WIDTH_PX;
const button = (name: string) => screen.getByRole('button', { name });

describe('the timeline of a day', () => {
  it('opens on the hours in which something was recorded', async () => {
    await show();
    expect(view().startMs).toBeLessThanOrEqual(ms('08:00'));
    expect(view().endMs).toBeGreaterThanOrEqual(ms('20:10'));
    expect(view().spanMs).toBeLessThan(24 * HOUR_MS);
    expect(screen.getByText('Дверь 1')).toBeVisible();
  });

  it('comes closer and steps back with its buttons, and shows the whole day', async () => {
    const { hand } = await show();
    const before = view().spanMs;
    await hand.click(button('Closer'));
    expect(view().spanMs).toBeCloseTo(before / 2, -3);
    await hand.click(button('Farther'));
    expect(view().spanMs).toBeCloseTo(before, -3);
    await hand.click(button('Whole day'));
    expect(view()).toEqual({ ...bounds, spanMs: 24 * HOUR_MS });
  });

  it('zooms and moves with the keys', async () => {
    const { hand } = await show();
    area().focus();
    const before = view().spanMs;
    await hand.keyboard('[Equal][Equal]');
    expect(view().spanMs).toBeCloseTo(before / 4, -3);
    await hand.keyboard('[Home]');
    expect(view().startMs).toBe(bounds.startMs);
    await hand.keyboard('[End]');
    expect(view().endMs).toBe(bounds.endMs);
    await hand.keyboard('[PageUp]');
    expect(view().endMs).toBeLessThan(bounds.endMs);
  });

  it('plays from where it is pressed', async () => {
    await show();
    const point = { clientX: xOf('08:05'), clientY: 20, button: 0, pointerId: 1 };
    fireEvent.pointerDown(area(), point);
    fireEvent.pointerUp(area(), point);
    expect(onPick).toHaveBeenCalledOnce();
    const [picked, momentMs] = onPick.mock.calls[0] ?? [];
    expect(picked).toBe(blocks[0]);
    expect(Math.abs(momentMs - ms('08:05'))).toBeLessThan(2_000);
  });

  it('is moved by dragging, and then plays nothing', async () => {
    await show();
    act(() => axis.setView({ startMs: ms('08:00'), endMs: ms('09:00') }));
    fireEvent.pointerDown(area(), { clientX: 500, clientY: 20, button: 0, pointerId: 1 });
    fireEvent.pointerMove(area(), { clientX: 400, clientY: 20, pointerId: 1 });
    fireEvent.pointerUp(area(), { clientX: 400, clientY: 20, pointerId: 1 });
    expect(view().startMs).toBe(ms('08:06'));
    expect(onPick).not.toHaveBeenCalled();
  });

  it('says what lies under the pointer', async () => {
    await show();
    fireEvent.pointerMove(area(), { clientX: xOf('20:05'), clientY: 20, pointerType: 'mouse' });
    expect(screen.getByText('fragment 2')).toBeVisible();
    fireEvent.pointerLeave(area());
    expect(screen.queryByText('fragment 2')).not.toBeInTheDocument();
  });

  it('says what lies under a resting pointer when the view moves below it', async () => {
    await show();
    act(() => axis.setView({ startMs: ms('08:00'), endMs: ms('09:00') }));
    fireEvent.pointerMove(area(), { clientX: 500, clientY: 20, pointerType: 'mouse' });
    expect(screen.getByText('08:30:00')).toBeVisible();
    fireEvent.wheel(area(), { clientX: 500, clientY: 20, deltaX: -500 });
    expect(screen.getByText('08:00:00')).toBeVisible();
    expect(screen.getByText('fragment 1')).toBeVisible();
  });

  it('brings what is selected into view, and says when that begins', async () => {
    const { showAgain } = await show();
    act(() => axis.setView({ startMs: ms('08:00'), endMs: ms('09:00') }));
    showAgain(part(blocks[1]));
    expect(view().startMs).toBeLessThanOrEqual(ms('20:00'));
    expect(view().endMs).toBeGreaterThanOrEqual(ms('20:10'));
    expect(area()).toHaveAttribute('aria-valuetext', '20:00:00');
  });

  it('follows the playhead when the video runs out of sight', async () => {
    await show();
    act(() => axis.setView({ startMs: ms('08:00'), endMs: ms('08:05') }));
    act(() => playhead.set(ms('08:04')));
    act(() => playhead.set(ms('08:06')));
    expect(view().endMs).toBeGreaterThan(ms('08:06'));
  });

  it('names what the looks of its blocks mean', async () => {
    await show();
    for (const kind of ['ready', 'waiting', 'failed']) {
      expect(screen.getByText(kind)).toBeVisible();
    }
    expect(screen.queryByText('on the registrar')).not.toBeInTheDocument();
  });
});
