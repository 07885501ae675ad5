import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect } from 'react';
import type { Cell } from './cell-moves.ts';

const CELLS_BEYOND = 3;

interface SightOptions {
  /** Number of rows, and of columns. */
  count: number;
  rowPx: number;
  columnPx: number;
  active: Cell;
}

/** The rows and columns of a price table to render: the visible ones, some beyond, and those of the active cell. */
export function useCellsInSight(
  frame: RefObject<HTMLDivElement | null>,
  { count, rowPx, columnPx, active }: SightOptions,
) {
  // The active cell stays rendered out of view, so that typed text is not lost.
  const withActive = (index: number) => (range: Range) => {
    const seen = defaultRangeExtractor(range);
    return seen.includes(index) ? seen : [...seen, index].sort((a, b) => a - b);
  };
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: CELLS_BEYOND,
    rangeExtractor: withActive(active.row),
  });
  const columns = useVirtualizer({
    horizontal: true,
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => columnPx,
    overscan: CELLS_BEYOND,
    rangeExtractor: withActive(active.column),
  });
  const { measure } = columns;
  useLayoutEffect(() => {
    if (columnPx > 0) measure();
  }, [measure, columnPx]);
  return { rows: rows.getVirtualItems(), columns: columns.getVirtualItems() };
}
