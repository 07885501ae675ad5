import { useEffect, useMemo, useRef, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { keepInside, openingView, reveal, type TimeView } from './time-view.ts';

/** The time axis of a timeline, shared with what is drawn above it. */
export interface TimeAxis {
  readonly bounds: TimeView;
  /** The visible period. */
  readonly view: TimeView;
  readonly setView: (view: TimeView) => void;
  /** The moment about which keys and buttons zoom: the playhead, else the selection, else the middle of the view. */
  readonly anchorMs: () => number;
}

interface ViewOptions {
  rows: readonly TimelineRow[];
  bounds: TimeView;
  /** The first view shows this period, too, and not only the recordings. */
  counted?: TimeView | undefined;
  playhead: Playhead;
  selected: Block | undefined;
}

/**
 * The time axis of a timeline; a new selection comes into view. Use it in the component around the timeline, so that a
 * zoom does not render the page.
 */
export function useTimelineView(options: ViewOptions): TimeAxis {
  const { rows, bounds, counted, playhead, selected } = options;
  const [chosenView, setView] = useState<TimeView | null>(null);
  const opening = useMemo(() => {
    const periods = rows.flatMap(({ blocks }) => [...blocks.slice(0, 1), ...blocks.slice(-1)]);
    const shown = counted ? [...periods, counted] : periods;
    if (shown.length === 0) return openingView(bounds, undefined, undefined);
    return openingView(
      bounds,
      Math.min(...shown.map(({ startMs }) => startMs)),
      Math.max(...shown.map(({ endMs }) => endMs)),
    );
  }, [rows, bounds, counted]);
  const view = chosenView ? keepInside(chosenView, bounds) : opening;
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (!selected || revealed.current === selected.id) return;
    revealed.current = selected.id;
    const next = reveal(view, bounds, (selected.startMs + selected.endMs) / 2);
    if (next !== view) setView(next);
  }, [selected, view, bounds]);
  return {
    bounds,
    view,
    setView,
    anchorMs: () => playhead.momentMs ?? selected?.startMs ?? (view.startMs + view.endMs) / 2,
  };
}
