import { fireEvent } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../../test/open.tsx';
import { RangeLayer } from './range-layer.tsx';
import type { Span } from './span.ts';

const MINUTE_MS = 60_000;
/** One minute is one pixel. */
const view = { startMs: 0, endMs: 1000 * MINUTE_MS };
const onSpan = vi.fn<(span: Span) => void>();
const onTap = vi.fn<(momentMs: number) => void>();
beforeEach(() => {
  freshServer();
  onSpan.mockClear();
  onTap.mockClear();
});
const show = async (span?: Span, isRefused = false) => {
  await showPart(
    <RangeLayer
      view={view}
      widthPx={1000}
      span={span}
      isRefused={isRefused}
      onSpan={onSpan}
      onTap={onTap}
    />,
  );
  const layer = document.querySelector('[data-range-layer]');
  if (!layer) throw new Error('no layer');
  return layer;
};
const drag = (layer: Element, fromPx: number, toPx: number, pointerType = 'mouse') => {
  const common = { pointerId: 1, pointerType, button: 0, clientY: 5 };
  fireEvent.pointerDown(layer, { ...common, clientX: fromPx });
  fireEvent.pointerMove(layer, { ...common, clientX: toPx });
  fireEvent.pointerUp(layer, { ...common, clientX: toPx });
};
const minutes = ({ startMs, endMs }: Span) => [startMs / MINUTE_MS, endMs / MINUTE_MS];
const chosen = () => minutes(onSpan.mock.calls.at(-1)?.[0] ?? { startMs: -1, endMs: -1 });

describe('the layer over a timeline on which a range is chosen', () => {
  it('chooses what is dragged over, in either direction', async () => {
    const layer = await show();
    drag(layer, 100, 160);
    expect(chosen()).toEqual([100, 160]);
    drag(layer, 300, 220);
    expect(chosen()).toEqual([220, 300]);
  });

  it('goes no further than the timeline', async () => {
    const layer = await show();
    drag(layer, 900, 1400);
    expect(chosen()).toEqual([900, 1000]);
  });

  it('moves an end that is taken; the other one stays', async () => {
    const layer = await show({ startMs: 100 * MINUTE_MS, endMs: 160 * MINUTE_MS });
    drag(layer, 159, 200);
    expect(chosen()).toEqual([100, 200]);
    drag(layer, 102, 90);
    expect(chosen()).toEqual([90, 160]);
  });

  it('takes an end from farther away with a finger', async () => {
    const layer = await show({ startMs: 100 * MINUTE_MS, endMs: 160 * MINUTE_MS });
    drag(layer, 175, 200, 'touch');
    expect(chosen()).toEqual([100, 200]);
  });

  it('takes a press in one place for a press, not for a range', async () => {
    const layer = await show();
    drag(layer, 100, 102);
    expect(onSpan).not.toHaveBeenCalled();
    expect(onTap).toHaveBeenCalledOnce();
  });

  it('leaves other buttons of the mouse alone', async () => {
    const layer = await show();
    fireEvent.pointerDown(layer, { pointerId: 1, button: 2, clientX: 100 });
    fireEvent.pointerUp(layer, { pointerId: 1, button: 2, clientX: 100 });
    expect(onTap).not.toHaveBeenCalled();
  });

  it('forgets a drag that the browser took over', async () => {
    const layer = await show();
    fireEvent.pointerDown(layer, { pointerId: 1, button: 0, clientX: 100 });
    fireEvent.pointerMove(layer, { pointerId: 1, clientX: 200 });
    fireEvent.pointerCancel(layer, { pointerId: 1 });
    fireEvent.pointerUp(layer, { pointerId: 1, clientX: 200 });
    expect(onSpan).not.toHaveBeenCalled();
  });

  it('shows a range that cannot be asked for as refused', async () => {
    const layer = await show({ startMs: 0, endMs: 90 * MINUTE_MS }, true);
    expect(layer.firstElementChild).toHaveAttribute('data-refused', 'true');
    expect(layer.firstElementChild).toHaveStyle({ width: '90px' });
  });
});
