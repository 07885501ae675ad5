import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import type { RefObject } from 'react';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import type { FactsOf } from './arrangement.ts';
import type { BusFacts } from './bus-facts.ts';
import type { Row } from './rows.ts';
import type { ListTexts } from './texts-ru.ts';

export interface BusShownProps {
  bus: Bus;
  facts: BusFacts;
  /** When the figures were read. */
  madeAt: string | undefined;
  text: Texts;
  own: ListTexts;
  isAdmin: boolean;
  /** The device id has just been copied. */
  isCopied: boolean;
  /** There is more than one target for a move. */
  canMove: boolean;
}

/** The properties of a row or tile of a bus. It shows the name at once, the rest when there is time. */
export interface ShownBusProps {
  bus: Bus;
  /** Shown beside the name in a list without headings. */
  route: string | undefined;
  isAdmin: boolean;
  /** The rest of a bus. */
  shownOf: (bus: Bus) => BusShownProps;
}

/** Scrolls the list to the heading with a key; to its top without one. */
export type Jump = (key: string | undefined) => void;

/** The properties of a list of buses. */
export interface RowsProps {
  rows: readonly Row[];
  /** Number of tiles in a row; undefined for a board. */
  columns: number | undefined;
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
