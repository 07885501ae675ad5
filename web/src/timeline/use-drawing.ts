import { type RefObject, useEffect, useMemo } from 'react';
import { axisLabels } from './axis-labels.ts';
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
}

/** Draws a timeline on its canvas, and again after each change. */
export function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, drawn: Drawn): void {
  const { rows, line, layout, view, bounds, widthPx, zone, selectedId } = drawn;
  const colours = useTimelineColours(canvas);
  const scene = useMemo(
    () => ({
      rows,
      line,
      layout,
      view,
      widthPx,
      selectedId,
      axis: axisLabels(view, bounds, widthPx, zone),
    }),
    [rows, line, layout, view, widthPx, selectedId, bounds, zone],
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
