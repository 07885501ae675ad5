import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { keepInside, openingView, reveal, type TimeView, zoomAt } from './time-view.ts';

export interface TimelineHandle {
  show(view: TimeView): void;
  showAll(): void;
  /** Above 1 zooms in, below 1 zooms out, about the playhead, else the selection, else the middle. */
  zoomBy(factor: number): void;
}

interface ViewOptions {
  ref?: Ref<TimelineHandle> | undefined;
  rows: readonly TimelineRow[];
  bounds: TimeView;
  playhead: Playhead;
  selected: Block | undefined;
  /** Called with the visible span. */
  onSpan?: ((spanMs: number) => void) | undefined;
}

/** The view of a timeline; a new selection comes into view. */
export function useTimelineView({ ref, rows, bounds, playhead, selected, onSpan }: ViewOptions) {
  // The state is in the timeline, so that zooming does not render the page around it.
  const [chosenView, setView] = useState<TimeView | null>(null);
  const opening = useMemo(() => {
    const starts = rows.flatMap((row) => row.blocks[0]?.startMs ?? []);
    const ends = rows.flatMap((row) => row.blocks.at(-1)?.endMs ?? []);
    return openingView(
      bounds,
      starts.length ? Math.min(...starts) : undefined,
      ends.length ? Math.max(...ends) : undefined,
    );
  }, [rows, bounds]);
  const view = chosenView ? keepInside(chosenView, bounds) : opening;
  /** The moment about which the view zooms. */
  const anchorMs = () => playhead.momentMs ?? selected?.startMs ?? (view.startMs + view.endMs) / 2;
  useImperativeHandle(ref, () => ({
    show: setView,
    showAll: () => setView(bounds),
    zoomBy: (factor) => setView(zoomAt(view, bounds, anchorMs(), factor)),
  }));
  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (!selected || revealed.current === selected.id) return;
    revealed.current = selected.id;
    const next = reveal(view, bounds, (selected.startMs + selected.endMs) / 2);
    if (next !== view) setView(next);
  }, [selected, view, bounds]);
  const spanMs = view.endMs - view.startMs;
  useEffect(() => onSpan?.(spanMs), [onSpan, spanMs]);
  return { view, setView, anchorMs };
}
