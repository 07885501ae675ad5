import { formatMoment } from '@ridewatch/contract/day';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Playhead } from '../player/playhead.ts';
import { axisLabels } from './axis-labels.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { drawTimeline } from './draw.ts';
import { HoverNote } from './hover-note.tsx';
import type { LapsLine } from './laps-line.ts';
import { type Hit, hitOf, hitTest, layoutOf } from './layout.ts';
import { PlayheadLine } from './playhead-line.tsx';
import { keepInside, momentAt, openingView, reveal, type TimeView, zoomAt } from './time-view.ts';
import styles from './timeline.module.css';
import { viewAfterKey } from './timeline-keys.ts';
import { useGestures } from './use-gestures.ts';
import { useTimelineColours } from './use-timeline-colours.ts';
import { useTimelineText } from './use-timeline-text.ts';
import { useWidth } from './use-width.ts';

export interface TimelineHandle {
  show(view: TimeView): void;
  showAll(): void;
  /** Above 1 comes closer, below 1 steps back, about what is watched, or the middle. */
  zoomBy(factor: number): void;
}

interface TimelineProps {
  ref?: Ref<TimelineHandle>;
  rows: readonly TimelineRow[];
  bounds: TimeView;
  zone: string;
  playhead: Playhead;
  selected: Block | undefined;
  /** The laps below the rows. */
  line?: LapsLine | undefined;
  /** A block was picked at a moment within it. */
  onPick: (block: Block, momentMs: number) => void;
  /** A stop, or a lap, was picked. */
  onPickLap?: (hit: Hit) => void;
  /** How much of the day is in view now. */
  onSpan?: (spanMs: number) => void;
  /** What the note says of a block above the moment that is pointed at. */
  describe: (hit: Hit) => ReactNode;
  /** What lies over the rows, for this view and width. */
  children?: (view: TimeView, widthPx: number) => ReactNode;
}

/** One row a camera, blocks of video on a canvas that zooms, moves, and plays from where it is pressed. */
export function Timeline(props: TimelineProps) {
  const { rows, bounds, zone, playhead, selected, line, onPick } = props;
  const text = useTimelineText();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<Hit | null>(null);
  const [isFocused, setFocused] = useState(false);
  // The view is the timeline's own: a page around it is not drawn anew while one zooms.
  const [chosenView, setView] = useState<TimeView | null>(null);
  const colours = useTimelineColours(canvas);
  const layout = useMemo(() => layoutOf(rows, line !== undefined), [rows, line]);
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
  const anchorMs = () => playhead.momentMs ?? selected?.startMs ?? (view.startMs + view.endMs) / 2;
  useImperativeHandle(props.ref, () => ({
    show: setView,
    showAll: () => setView(bounds),
    zoomBy: (factor) => setView(zoomAt(view, bounds, anchorMs(), factor)),
  }));

  const scene = useMemo(
    () => ({
      rows,
      line,
      layout,
      view,
      widthPx: width,
      selectedId: selected?.id,
      axis: axisLabels(view, bounds, width, zone),
    }),
    [rows, line, layout, view, width, selected?.id, bounds, zone],
  );
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !colours || width === 0) return;
    const density = window.devicePixelRatio || 1;
    const size = [Math.round(width * density), Math.round(layout.heightPx * density)] as const;
    // Giving it a size empties it, and costs more than drawing.
    if (element.width !== size[0]) element.width = size[0];
    if (element.height !== size[1]) element.height = size[1];
    context.setTransform(density, 0, 0, density, 0, 0);
    drawTimeline(context, scene, colours);
  }, [scene, layout, width, colours]);

  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (!selected || revealed.current === selected.id) return;
    revealed.current = selected.id;
    const next = reveal(view, bounds, (selected.startMs + selected.endMs) / 2);
    if (next !== view) setView(next);
  }, [selected, view, bounds]);

  // With the focus by keys, what is at the playhead is told as if it was pointed at.
  const lookAtPlayhead = useEffectEvent(() => {
    const { momentMs } = playhead;
    if (!selected) return;
    const isWithin =
      momentMs !== null && momentMs >= selected.startMs && momentMs <= selected.endMs;
    const at = isWithin ? momentMs : selected.startMs;
    const msPerPx = (view.endMs - view.startMs) / Math.max(width, 1);
    setHover((now) =>
      now?.block === selected && Math.abs(now.momentMs - at) < msPerPx
        ? now
        : hitOf(rows, selected, at),
    );
  });
  const spanMs = view.endMs - view.startMs;
  const { onSpan } = props;
  useEffect(() => onSpan?.(spanMs), [onSpan, spanMs]);
  const selectedId = selected?.id;
  useEffect(() => {
    if (!isFocused) return;
    if (selectedId !== undefined) lookAtPlayhead();
    return playhead.subscribe(() => lookAtPlayhead());
  }, [isFocused, selectedId, playhead]);

  const gestures = useGestures({
    element: area,
    view,
    bounds,
    onView: setView,
    onTap: (point) => {
      const hit = hitTest(point, rows, layout, view, width, line);
      const { block, momentMs } = hit;
      if (hit.lap || hit.stop) props.onPickLap?.(hit);
      if (!block) return;
      // Beside a fragment, from its start: the end would show its last frame alone.
      const pressedMs = momentAt(point.xPx, view, width);
      const isWithin = hit.tick || (pressedMs >= block.startMs && pressedMs < block.endMs);
      onPick(block, isWithin ? momentMs : block.startMs);
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = viewAfterKey(event.code, view, bounds, anchorMs());
    if (!next) return;
    event.preventDefault();
    setView(next);
  };

  return (
    <div className={styles.timeline}>
      <div className={styles.labels} style={{ gridAutoRows: layout.rowPx }}>
        {rows.map((row) => (
          <span key={row.id} style={{ paddingTop: layout.marksPx }} title={row.label}>
            <span style={{ lineHeight: `${layout.barPx}px` }}>{row.label}</span>
          </span>
        ))}
        {line && (
          <span style={{ gridRow: Math.max(rows.length, 1) + 1, lineHeight: '16px' }}>
            {line.label}
          </span>
        )}
      </div>
      {/* The list below offers the same fragments to those who cannot see this one. */}
      <div
        ref={area}
        className={styles.area}
        style={{ height: layout.heightPx }}
        role="slider"
        tabIndex={0}
        aria-label={text.keys}
        aria-valuemin={0}
        aria-valuemax={Math.round((bounds.endMs - bounds.startMs) / 1000)}
        aria-valuenow={selected ? Math.round((selected.startMs - bounds.startMs) / 1000) : 0}
        aria-valuetext={selected ? formatMoment(selected.startMs, zone, 'HH:mm:ss') : '—'}
        data-player-keys
        data-hit={hover?.block ? 'block' : hover?.lap && 'lap'}
        data-view={`${Math.round(view.startMs)}-${Math.round(view.endMs)}`}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => {
          setFocused(false);
          setHover(null);
        }}
        {...gestures}
        onPointerMove={(event) => {
          gestures.onPointerMove(event);
          if (event.pointerType === 'touch') return;
          const box = event.currentTarget.getBoundingClientRect();
          const point = { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
          setHover(hitTest(point, rows, layout, view, width, line));
        }}
        onPointerLeave={() => setHover(null)}
      >
        <canvas ref={canvas} style={{ width, height: layout.heightPx }} />
        {props.children?.(view, width)}
        <PlayheadLine
          playhead={playhead}
          view={view}
          widthPx={width}
          heightPx={layout.heightPx - layout.axisPx}
          onLeave={(momentMs) => setView(reveal(view, bounds, momentMs))}
        />
        {hover && (
          <HoverNote
            hit={hover}
            view={view}
            widthPx={width}
            zone={zone}
            describe={props.describe}
          />
        )}
      </div>
    </div>
  );
}
