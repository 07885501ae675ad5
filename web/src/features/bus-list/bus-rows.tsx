import { BoardRows } from './board-rows.tsx';
import type { RowsProps } from './row-props.ts';
import { TileRows } from './tile-rows.tsx';

interface BusRowsProps extends RowsProps {
  /** Number of tiles in a row; undefined for a board. */
  columns: number | undefined;
}

/** The arranged buses in the scrolling page, as a board or as tiles. */
export function BusRows({ columns, ...props }: BusRowsProps) {
  return columns === undefined ? (
    <BoardRows {...props} />
  ) : (
    <TileRows {...props} columns={columns} />
  );
}
