import { useElementSize } from '@mantine/hooks';
import { formatMoment } from '@ridewatch/contract/day';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { drawTimeline } from './draw.ts';
import { type Hit, hitTest, layoutOf } from './layout.ts';
import { PlayheadLine } from './playhead-line.tsx';
import {
  axisMoments,
  momentAt,
  openingView,
  pan,
  reveal,
  type TimeView,
  xOf,
  zoomAt,
} from './time-view.ts';
import styles from './timeline.module.css';
import { useGestures } from './use-gestures.ts';
import { useTimelineColours } from './use-timeline-colours.ts';

interface TimelineProps {
  rows: readonly TimelineRow[];
  bounds: TimeView;
  zone: string;
  playhead: Playhead;
  selected: Block | undefined;
  /** A block was picked at a moment within it. */
  onPick: (block: Block, momentMs: number) => void;
  /** Accessible name, with the keys it answers to. */
  label: string;
  /** What the pointer's note says of a block below its time. */
  describe: (block: Block, row: TimelineRow) => ReactNode;
  /** View chosen from outside; null for the opening view. */
  view: TimeView | null;
  onView: (view: TimeView | null) => void;
}

const LABEL_GAP_PX = 56;

/** One row a camera, blocks of video on a canvas that zooms, moves, and plays from where it is pressed. */
export function Timeline(props: TimelineProps) {
  const { rows, bounds, zone, playhead, selected, onPick, onView } = props;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const area = useRef<HTMLDivElement | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<(Hit & { xPx: number }) | null>(null);
  const colours = useTimelineColours(canvas);
  const layout = useMemo(() => layoutOf(rows), [rows]);
  const opening = useMemo(() => {
    const starts = rows.flatMap((row) => row.blocks[0]?.startMs ?? []);
    const ends = rows.flatMap((row) => row.blocks.at(-1)?.endMs ?? []);
    return openingView(
      bounds,
      starts.length ? Math.min(...starts) : undefined,
      ends.length ? Math.max(...ends) : undefined,
    );
  }, [rows, bounds]);
  const view = props.view ?? opening;

  const scene = useMemo(
    () => ({
      rows,
      layout,
      view,
      widthPx: width,
      selectedId: selected?.id,
      axis: axisMoments(view, bounds, width, LABEL_GAP_PX).map((momentMs) => ({
        momentMs,
        label: formatMoment(momentMs, zone, 'HH:mm'),
      })),
    }),
    [rows, layout, view, width, selected?.id, bounds, zone],
  );

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !colours || width === 0) return;
    const density = window.devicePixelRatio || 1;
    element.width = Math.round(width * density);
    element.height = Math.round(layout.heightPx * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    drawTimeline(context, scene, colours);
  }, [scene, layout, width, colours]);

  const revealed = useRef<number>(undefined);
  useEffect(() => {
    if (!selected || revealed.current === selected.id) return;
    revealed.current = selected.id;
    const next = reveal(view, bounds, (selected.startMs + selected.endMs) / 2);
    if (next !== view) onView(next);
  }, [selected, view, bounds, onView]);

  const gestures = useGestures({
    element: area,
    view,
    bounds,
    onView,
    onTap: (point) => {
      const { block, momentMs } = hitTest(point, rows, layout, view, width);
      if (!block) return;
      // Beside a fragment, from its start: the end would show its last frame alone.
      const isWithin = momentMs >= block.startMs && momentMs < block.endMs;
      onPick(block, isWithin ? momentMs : block.startMs);
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const span = view.endMs - view.startMs;
    const anchor = playhead.momentMs ?? (view.startMs + view.endMs) / 2;
    const next = viewAfterKey(event.code, view, bounds, anchor, span);
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onView(next);
  };

  return (
    <div className={styles.timeline}>
      <div className={styles.labels} style={{ gridAutoRows: layout.rowPx }}>
        {rows.map((row) => (
          <span key={row.id} style={{ paddingTop: layout.marksPx }} title={row.label}>
            <span style={{ lineHeight: `${layout.barPx}px` }}>{row.label}</span>
          </span>
        ))}
      </div>
      {/* The list below offers the same fragments to those who cannot see this one. */}
      <div
        ref={(element) => {
          area.current = element;
          sizeRef(element);
        }}
        className={styles.area}
        style={{ height: layout.heightPx }}
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.round((bounds.endMs - bounds.startMs) / 1000)}
        aria-valuenow={selected ? Math.round((selected.startMs - bounds.startMs) / 1000) : 0}
        aria-valuetext={selected ? formatMoment(selected.startMs, zone, 'HH:mm:ss') : '—'}
        data-hit={hover?.block ? 'block' : undefined}
        onKeyDown={onKeyDown}
        {...gestures}
        onPointerMove={(event) => {
          gestures.onPointerMove(event);
          if (event.pointerType === 'touch') return;
          const box = event.currentTarget.getBoundingClientRect();
          const point = { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
          setHover({ ...hitTest(point, rows, layout, view, width), xPx: point.xPx });
        }}
        onPointerLeave={() => setHover(null)}
      >
        <canvas ref={canvas} style={{ width, height: layout.heightPx }} />
        <PlayheadLine
          playhead={playhead}
          view={view}
          widthPx={width}
          heightPx={layout.heightPx - layout.axisPx}
          onLeave={(momentMs) => onView(reveal(view, bounds, momentMs))}
        />
        {hover && (
          <>
            <span className={styles.pointer} style={{ transform: `translateX(${hover.xPx}px)` }} />
            <HoverNote
              hover={hover}
              view={view}
              widthPx={width}
              zone={zone}
              describe={props.describe}
            />
          </>
        )}
      </div>
    </div>
  );
}

interface HoverNoteProps {
  hover: Hit & { xPx: number };
  view: TimeView;
  widthPx: number;
  zone: string;
  describe: TimelineProps['describe'];
}

function HoverNote({ hover, view, widthPx, zone, describe }: HoverNoteProps) {
  const { block, row } = hover;
  const middle = block ? xOf((block.startMs + block.endMs) / 2, view, widthPx) : hover.xPx;
  const momentMs = block ? block.startMs : momentAt(hover.xPx, view, widthPx);
  const left = Math.min(Math.max(middle, 80), widthPx - 80);
  return (
    <div className={styles.note} style={{ transform: `translate(calc(${left}px - 50%), -100%)` }}>
      <strong>{formatMoment(momentMs, zone, 'HH:mm:ss')}</strong>
      {block && row && describe(block, row)}
    </div>
  );
}

function viewAfterKey(
  code: string,
  view: TimeView,
  bounds: TimeView,
  anchorMs: number,
  spanMs: number,
): TimeView | undefined {
  if (code === 'Equal' || code === 'NumpadAdd') return zoomAt(view, bounds, anchorMs, 2);
  if (code === 'Minus' || code === 'NumpadSubtract') return zoomAt(view, bounds, anchorMs, 0.5);
  if (code === 'Home') return pan(view, bounds, bounds.startMs - view.startMs);
  if (code === 'End') return pan(view, bounds, bounds.endMs - view.endMs);
  if (code === 'PageUp') return pan(view, bounds, -spanMs);
  if (code === 'PageDown') return pan(view, bounds, spanMs);
  return undefined;
}
