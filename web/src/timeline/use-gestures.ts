import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { momentAt, pan, type TimeView, zoomAt } from './time-view.ts';

interface GestureTarget {
  element: RefObject<HTMLElement | null>;
  view: TimeView;
  bounds: TimeView;
  onView: (view: TimeView) => void;
  /** Called after a press without a drag, with pixels of the element. */
  onTap: (point: { xPx: number; yPx: number }) => void;
}

/** A press that moves further is a drag, px. */
const DRAG_PX = 4;
/** Wheel travel that doubles the zoom, px. */
const DOUBLING_PX = 240;

/**
 * Zooms with wheel and pinch about the pointer, moves with dragging, and reports taps.
 * @returns handlers for the element
 */
export function useGestures({ element, view, bounds, onView, onTap }: GestureTarget) {
  const latest = useRef({ view, bounds, onView });
  latest.current = { view, bounds, onView };
  const pointers = useRef(new Map<number, { xPx: number; yPx: number }>());
  const dragged = useRef(false);

  useEffect(() => {
    const target = element.current;
    if (!target) return;
    // React's wheel listeners are passive, so they cannot stop the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      const now = latest.current;
      const box = target.getBoundingClientRect();
      const span = now.view.endMs - now.view.startMs;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const travel = event.deltaMode === 1 ? 32 : 1;
      const next = sideways
        ? pan(now.view, now.bounds, (((event.deltaX || event.deltaY) * travel) / box.width) * span)
        : zoomAt(
            now.view,
            now.bounds,
            momentAt(event.clientX - box.left, now.view, box.width),
            2 ** ((-event.deltaY * travel * (event.ctrlKey ? 6 : 1)) / DOUBLING_PX),
          );
      const stays = next.startMs === now.view.startMs && next.endMs === now.view.endMs;
      // When the view cannot zoom out further, the wheel scrolls the page.
      if (stays && !event.ctrlKey) return;
      event.preventDefault();
      now.onView(next);
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);

  const pointOf = (event: PointerEvent) => {
    const box = element.current?.getBoundingClientRect();
    return { xPx: event.clientX - (box?.left ?? 0), yPx: event.clientY - (box?.top ?? 0) };
  };

  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      if (pointers.current.size === 0) dragged.current = false;
      pointers.current.set(event.pointerId, pointOf(event));
    },
    onPointerMove(event: PointerEvent) {
      const before = pointers.current.get(event.pointerId);
      const box = element.current?.getBoundingClientRect();
      if (!before || !box) return;
      const point = pointOf(event);
      if (!dragged.current && Math.abs(point.xPx - before.xPx) < DRAG_PX) return;
      if (!dragged.current) element.current?.setPointerCapture(event.pointerId);
      dragged.current = true;
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, point);
      const msPerPx = (view.endMs - view.startMs) / box.width;
      if (other) {
        const factor =
          Math.abs(point.xPx - other.xPx) / Math.max(Math.abs(before.xPx - other.xPx), 1);
        onView(zoomAt(view, bounds, momentAt(other.xPx, view, box.width), Math.max(factor, 0.1)));
      } else {
        onView(pan(view, bounds, (before.xPx - point.xPx) * msPerPx));
      }
    },
    onPointerUp(event: PointerEvent) {
      const pressed = pointers.current.delete(event.pointerId);
      if (pressed && !dragged.current) onTap(pointOf(event));
    },
    onPointerCancel(event: PointerEvent) {
      pointers.current.delete(event.pointerId);
      dragged.current = true;
    },
  };
}
