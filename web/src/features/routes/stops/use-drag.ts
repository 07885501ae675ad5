import type { RouteDirection } from '@ridewatch/contract/laps';
import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import type { StopPlace } from '../stop-order.ts';

interface Drag {
  readonly id: number;
  readonly place: StopPlace;
}

const EDGE_PX = 64;
const SCROLL_PX = 12;

/**
 * Moves a stop of a list by dragging with mouse, pen or finger; Escape cancels. Sections of the list have
 * `data-direction`, stops in them `data-stop`.
 */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: (id: number, place: StopPlace) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  return {
    drag,
    handleOf: (id: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const place = slotAt(list.current, event.clientY, id);
        if (place) setDrag({ id, place });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (drag?.id !== id) return;
        scrollAtEdge(event.clientY);
        const place = slotAt(list.current, event.clientY, id);
        if (place) setDrag({ id, place });
      },
      onPointerUp: () => {
        if (drag?.id !== id) return;
        setDrag(null);
        onDrop(id, drag.place);
      },
      onPointerCancel: () => setDrag(null),
      onKeyDownCapture: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && drag) setDrag(null);
      },
    }),
  };
}

/** The place under the pointer: its direction, and the number of other stops above. */
function slotAt(list: HTMLElement | null, y: number, id: number): StopPlace | undefined {
  const sections = [...(list?.querySelectorAll<HTMLElement>('[data-direction]') ?? [])];
  const under = sections.findLast((one) => one.getBoundingClientRect().top <= y) ?? sections[0];
  const routeDirection = under?.dataset.direction as RouteDirection | undefined;
  if (!under || !routeDirection) return undefined;
  const others = [...under.querySelectorAll<HTMLElement>('[data-stop]')].filter(
    (row) => row.dataset.stop !== String(id),
  );
  const above = others.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  });
  return { routeDirection, orderKey: above.length };
}

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) window.scrollBy(0, -SCROLL_PX);
  else if (y > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX);
}
