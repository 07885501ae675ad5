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
}

/**
 * What the note of a timeline describes: the point under the pointer, or the playhead while the timeline has the
 * keyboard focus.
 */
export function usePointed({ rows, view, widthPx, playhead, selected }: PointedOptions) {
  const [pointed, setPointed] = useState<Hit | null>(null);
  const [isFocused, setFocused] = useState(false);
  const lookAtPlayhead = useEffectEvent(() => {
    const { momentMs } = playhead;
    if (!selected) return;
    const isWithin =
      momentMs !== null && momentMs >= selected.startMs && momentMs <= selected.endMs;
    const at = isWithin ? momentMs : selected.startMs;
    const msPerPx = (view.endMs - view.startMs) / Math.max(widthPx, 1);
    setPointed((now) =>
      now?.block === selected && Math.abs(now.momentMs - at) < msPerPx
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
    pointed,
    setPointed,
    handlers: {
      onFocus: (event: FocusEvent) => setFocused(event.currentTarget.matches(':focus-visible')),
      onBlur: () => {
        setFocused(false);
        setPointed(null);
      },
      onPointerLeave: () => setPointed(null),
    },
  };
}
