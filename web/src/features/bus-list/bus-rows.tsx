import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { RefObject } from 'react';
import type { FactsOf } from './arrangement.ts';
import { BoardRows } from './board-rows.tsx';
import type { Row } from './rows.ts';
import { TileRows } from './tile-rows.tsx';

/** Scrolls the list to the heading with a key; to its top without one. */
export type Jump = (key: string | undefined) => void;

/** What a list of buses is given. */
export interface RowsProps {
  rows: readonly Row[];
  factsOf: FactsOf;
  /** When the figures were read. */
  madeAt: string | undefined;
  routes: ReadonlyMap<number, readonly BusRoute[]>;
  /** The routes could not be read; the menus of the buses say so. */
  lacksRoutes: boolean;
  isAdmin: boolean;
  hasCustomers: boolean;
  /** The rows have no headings, so that each bus names its route. */
  isFlat: boolean;
  /** Height of what stays above the rows while the page scrolls, px. */
  headHeight: number;
  jump: RefObject<Jump>;
  /** Told the key of the heading of the topmost bus. */
  onActive: (key: string | undefined) => void;
}

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
