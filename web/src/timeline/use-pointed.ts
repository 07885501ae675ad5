import { type FocusEvent, useEffect, useEffectEvent, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { type Hit, hitOf } from './layout.ts';
import type { TimeView } from './time-view.ts';

interface PointedOptions {
  rows: readonly TimelineRow[];
  view: TimeView;
  widthPx: number;
  playhead: Playhead;
  selected: Block | undefined;
  /** Finds what is at a point of the canvas in the current view. */
  hitAt: (point: Point) => Hit;
}

/** A point of the canvas, px. */
interface Point {
  readonly xPx: number;
  readonly yPx: number;
}

/**
 * Finds what the note of a timeline describes: the point under the pointer, or the playhead while the timeline has the
 * keyboard focus.
 */
export function usePointed(options: PointedOptions) {
  const { rows, view, widthPx, playhead, selected, hitAt } = options;
  // The point, not what is there: that changes when the view moves below a resting pointer.
  const [place, setPlace] = useState<Point | Hit | null>(null);
  const [isFocused, setFocused] = useState(false);
  const lookAtPlayhead = useEffectEvent(() => {
    const { momentMs } = playhead;
    if (!selected) return;
    const isWithin =
      momentMs !== null && momentMs >= selected.startMs && momentMs <= selected.endMs;
    const at = isWithin ? momentMs : selected.startMs;
    const msPerPx = (view.endMs - view.startMs) / Math.max(widthPx, 1);
    setPlace((now) =>
      now && 'block' in now && now.block === selected && Math.abs(now.momentMs - at) < msPerPx
        ? now
        : hitOf(rows, selected, at),
    );
  });
  const selectedId = selected?.id;
  useEffect(() => {
    if (!isFocused) return;
    if (selectedId !== undefined) lookAtPlayhead();
    return playhead.subscribe(() => lookAtPlayhead());
  }, [isFocused, selectedId, playhead]);
  return {
    pointed: place && 'xPx' in place ? hitAt(place) : place,
    pointAt: (point: Point) => setPlace(point),
    handlers: {
      onFocus: (event: FocusEvent) => setFocused(event.currentTarget.matches(':focus-visible')),
      onBlur: () => {
        setFocused(false);
        setPlace(null);
      },
      onPointerLeave: () => setPlace(null),
    },
  };
}
