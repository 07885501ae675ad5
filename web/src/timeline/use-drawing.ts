import { type RefObject, useEffect, useMemo } from 'react';
import { axisLabels, labelsUnder, timeAt } from './axis-labels.ts';
import type { TimelineRow } from './blocks.ts';
import { drawTimeline } from './draw.ts';
import type { LapsLine } from './laps-line.ts';
import type { TimelineLayout } from './layout.ts';
import type { TimeView } from './time-view.ts';
import { useTimelineColours } from './use-timeline-colours.ts';

interface Drawn {
  rows: readonly TimelineRow[];
  line: LapsLine | undefined;
  layout: TimelineLayout;
  view: TimeView;
  bounds: TimeView;
  widthPx: number;
  zone: string;
  selectedId: number | undefined;
  /** Place of the pointer; undefined if nothing is pointed at. */
  pointedPx: number | undefined;
}

/** Draws a timeline on its canvas, and again after each change. */
export function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, drawn: Drawn): void {
  const { rows, line, layout, view, bounds, widthPx, zone, selectedId, pointedPx } = drawn;
  const colours = useTimelineColours(canvas);
  const labels = useMemo(
    () => axisLabels(view, bounds, widthPx, zone),
    [view, bounds, widthPx, zone],
  );
  const timePx = pointedPx === undefined ? undefined : timeAt(pointedPx, widthPx);
  // Draw again only when another label makes room, not with every move of the pointer.
  const { first, last } = labelsUnder(labels, timePx, view, widthPx);
  const scene = useMemo(
    () => ({
      rows,
      line,
      layout,
      view,
      widthPx,
      selectedId,
      axis: labels.map((one, at) => (at >= first && at <= last ? { ...one, label: '' } : one)),
    }),
    [rows, line, layout, view, widthPx, selectedId, labels, first, last],
  );
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !colours || scene.widthPx === 0) return;
    const density = window.devicePixelRatio || 1;
    const width = Math.round(scene.widthPx * density);
    const height = Math.round(scene.layout.heightPx * density);
    // Setting the size clears the canvas, and costs more than drawing.
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    context.setTransform(density, 0, 0, density, 0, 0);
    drawTimeline(context, scene, colours);
  }, [canvas, scene, colours]);
}
