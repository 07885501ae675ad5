import { type PointerEvent, useRef, useState } from 'react';
import { momentAt, type TimeView, xOf } from '../../timeline/time-view.ts';
import styles from './range-layer.module.css';
import type { Span } from './span.ts';

/** A press that moves further selects a range, px. */
const DRAG_PX = 4;
/** Distance at which the pointer grabs an end, px. */
const GRIP_PX = { mouse: 6, touch: 20 };

interface RangeLayerProps {
  view: TimeView;
  widthPx: number;
  span: Span | undefined;
  /** The range has the looks of a refused one. */
  isRefused: boolean;
  onSpan: (span: Span) => void;
  /** Called after a press without a drag. */
  onTap: (momentMs: number) => void;
}

/** A layer over a timeline. Dragging selects a range, or moves an end of the selected one. */
export function RangeLayer({ view, widthPx, span, isRefused, onSpan, onTap }: RangeLayerProps) {
  // The fixed end, and the position of the press.
  const drag = useRef<{ fixedMs: number; pressedPx: number; isDragged: boolean } | null>(null);
  const [drawn, setDrawn] = useState<Span | null>(null);
  const shown = drawn ?? span;
  const xAt = (event: PointerEvent): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const momentOf = (event: PointerEvent): number => {
    const x = Math.min(Math.max(xAt(event), 0), widthPx);
    return Math.round(momentAt(x, view, widthPx) / 1000) * 1000;
  };
  const rangeTo = (event: PointerEvent, fixedMs: number): Span => {
    const ms = momentOf(event);
    return { startMs: Math.min(ms, fixedMs), endMs: Math.max(ms, fixedMs) };
  };
  const fixedEnd = (event: PointerEvent): number => {
    const grip = event.pointerType === 'touch' ? GRIP_PX.touch : GRIP_PX.mouse;
    const near = (ms: number) => Math.abs(xOf(ms, view, widthPx) - xAt(event)) <= grip;
    if (span && near(span.startMs)) return span.endMs;
    if (span && near(span.endMs)) return span.startMs;
    return momentOf(event);
  };
  return (
    <div
      className={styles.layer}
      data-range-layer
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { fixedMs: fixedEnd(event), pressedPx: xAt(event), isDragged: false };
      }}
      onPointerMove={(event) => {
        const current = drag.current;
        if (!current) return;
        event.stopPropagation();
        if (!current.isDragged && Math.abs(xAt(event) - current.pressedPx) < DRAG_PX) return;
        current.isDragged = true;
        setDrawn(rangeTo(event, current.fixedMs));
      }}
      onPointerUp={(event) => {
        const current = drag.current;
        if (!current) return;
        drag.current = null;
        setDrawn(null);
        if (current.isDragged) onSpan(rangeTo(event, current.fixedMs));
        else onTap(momentAt(xAt(event), view, widthPx));
      }}
      onPointerCancel={() => {
        drag.current = null;
        setDrawn(null);
      }}
    >
      {shown && <Chosen span={shown} view={view} widthPx={widthPx} isRefused={isRefused} />}
    </div>
  );
}

type ChosenProps = Pick<RangeLayerProps, 'view' | 'widthPx' | 'isRefused'> & { span: Span };

function Chosen({ span, view, widthPx, isRefused }: ChosenProps) {
  const left = Math.max(xOf(span.startMs, view, widthPx), -4);
  const right = Math.min(xOf(span.endMs, view, widthPx), widthPx + 4);
  if (right < 0 || left > widthPx) return null;
  return (
    <span
      className={styles.range}
      data-refused={isRefused || undefined}
      style={{ transform: `translateX(${left}px)`, width: Math.max(right - left, 2) }}
    >
      <i />
      <i />
    </span>
  );
}
