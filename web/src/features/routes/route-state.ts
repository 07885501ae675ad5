import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import type { ShownRoute } from './use-route.ts';

/** The properties of every part of a route. */
export interface PartProps {
  /** Undefined if the bus has none; the parts of stops and prices always get one. */
  route: ShownRoute | undefined;
  /** The shown day; changes are valid from it on. */
  day: string;
  /** Whether the user may make changes from that day on. */
  isOpen: boolean;
  page: BusPageState;
}

/**
 * The shown day of the route, and whether the user can make changes from it on. Changes are valid from the shown day,
 * so the user changes what is shown. A past day allows changes only after the user has selected it.
 * @param from the day in the address; the page's day by default
 */
export function readRouteDay(from: string | undefined, date: string, today: string) {
  const chosen = from !== undefined && /^20\d\d-\d\d-\d\d$/.test(from) ? from : undefined;
  return {
    day: chosen ?? date,
    isOpen: chosen !== undefined || date === today,
    /** The value of the address for a selected day; undefined means today. */
    fromFor: (day: string | undefined): string | undefined => {
      const wanted = day ?? today;
      return wanted === today && date === today ? undefined : wanted;
    },
  };
}
