import { formatMoment } from '@ridewatch/contract/day';
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import type { Playhead } from '../player/playhead.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import type { Block, TimelineRow } from './blocks.ts';
import { HoverNote } from './hover-note.tsx';
import type { LapsLine } from './laps-line.ts';
import { type Hit, hitTest, lapsTop, layoutOf, type TimelineLayout } from './layout.ts';
import { PlayheadLine } from './playhead-line.tsx';
import { momentAt, reveal, type TimeView, xOf } from './time-view.ts';
import styles from './timeline.module.css';
import { viewAfterKey } from './timeline-keys.ts';
import { useDrawing } from './use-drawing.ts';
import { useGestures } from './use-gestures.ts';
import { usePointed } from './use-pointed.ts';
import { useTimelineText } from './use-timeline-text.ts';
import type { TimeAxis } from './use-timeline-view.ts';
import { useWidth } from './use-width.ts';

interface TimelineProps {
  rows: readonly TimelineRow[];
  axis: TimeAxis;
  /** Whether a chart above shares the axis. */
  isBelowChart?: boolean;
  zone: string;
  playhead: Playhead;
  selected: Block | undefined;
  /** The line of laps below the rows. */
  line?: LapsLine | undefined;
  /** Called with a block and a moment in it. */
  onPick: (block: Block, momentMs: number) => void;
  /** Called with a stop or a lap. */
  onPickLap?: (hit: Hit) => void;
  /** Content of the note about the moment under the pointer. */
  describe: (hit: Hit) => ReactNode;
  /** Content over the rows, for this view and width. */
  children?: (view: TimeView, widthPx: number) => ReactNode;
}

/**
 * A timeline with a row for each camera and blocks of video, on a canvas that zooms and moves. A press plays from
 * there.
 */
export function Timeline(props: TimelineProps) {
  const { rows, zone, playhead, selected, line, onPick, isBelowChart = false } = props;
  const { view, bounds, setView, anchorMs } = props.axis;
  const text = useTimelineText();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPhone = useIsPhone();
  const layout = useMemo(
    () =>
      layoutOf(rows, line !== undefined, {
        axisAt: isBelowChart ? 'top' : 'bottom',
        isSlim: isBelowChart && !isPhone,
      }),
    [rows, line, isBelowChart, isPhone],
  );
  const hitAt = (point: { xPx: number; yPx: number }) =>
    hitTest(point, rows, layout, view, width, line);
  const looking = usePointed({ rows, view, widthPx: width, playhead, selected, hitAt });
  const { pointed } = looking;
  useDrawing(canvas, {
    rows,
    line,
    layout,
    view,
    bounds,
    widthPx: width,
    zone,
    selectedId: selected?.id,
    pointedPx: pointed ? xOf(pointed.momentMs, view, width) : undefined,
  });
  const gestures = useGestures({
    element: area,
    view,
    bounds,
    onView: setView,
    onTap: (point) => {
      const hit = hitAt(point);
      const { block, momentMs } = hit;
      if (hit.lap || hit.stop) props.onPickLap?.(hit);
      if (!block) return;
      // A press beside a fragment plays from its start; its end would show the last frame only.
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
    <div className={styles.timeline} data-axis={isBelowChart ? 'top' : 'bottom'}>
      <Labels rows={rows} line={line} layout={layout} />
      {/* The list below offers the same fragments to screen readers. */}
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
        data-hit={pointed?.block ? 'block' : pointed?.lap && 'lap'}
        data-view={`${Math.round(view.startMs)}-${Math.round(view.endMs)}`}
        onKeyDown={onKeyDown}
        {...looking.handlers}
        {...gestures}
        onPointerMove={(event) => {
          gestures.onPointerMove(event);
          if (event.pointerType === 'touch') return;
          const box = event.currentTarget.getBoundingClientRect();
          looking.pointAt({ xPx: event.clientX - box.left, yPx: event.clientY - box.top });
        }}
      >
        <canvas ref={canvas} style={{ width, height: layout.heightPx }} />
        {line?.failed && (
          <span role="alert" className={styles.failed} style={{ top: lapsTop(rows, layout) }}>
            {line.failed}
          </span>
        )}
        {props.children?.(view, width)}
        <PlayheadLine
          playhead={playhead}
          view={view}
          widthPx={width}
          heightPx={isBelowChart ? layout.heightPx : layout.axisTopPx}
          onLeave={(momentMs) => setView(reveal(view, bounds, momentMs))}
        />
        {pointed && (
          <HoverNote
            hit={pointed}
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

interface LabelsProps {
  rows: readonly TimelineRow[];
  line: LapsLine | undefined;
  layout: TimelineLayout;
}

function Labels({ rows, line, layout }: LabelsProps) {
  return (
    <div className={styles.labels} style={{ gridAutoRows: layout.rowPx, paddingTop: layout.topPx }}>
      {rows.map((row) => (
        <span
          key={row.id}
          style={{ paddingTop: layout.marksPx, lineHeight: `${layout.barPx}px` }}
          title={row.label}
        >
          {row.label}
        </span>
      ))}
      {line && (
        <span style={{ gridRow: Math.max(rows.length, 1) + 1, lineHeight: '18px' }}>
          {line.label}
        </span>
      )}
    </div>
  );
}
