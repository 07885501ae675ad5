import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import type { ShownRoute } from './use-route.ts';

/** What every part of a route is given. */
export interface PartProps {
  /** Undefined while the bus has none; stops and prices always have one. */
  route: ShownRoute | undefined;
  /** The day that is shown; changes hold from it on. */
  day: string;
  /** Whether anything can be changed from that day on. */
  isOpen: boolean;
  page: BusPageState;
}

/**
 * Which day's route is shown, and whether it is there to be changed. Changes hold from the day that is shown, so that
 * what one sees is what one changes; a past day opens for changes only when it is chosen.
 * @param from what the address says; the day of the page when absent
 */
export function readRouteDay(from: string | undefined, date: string, today: string) {
  const chosen = from !== undefined && /^20\d\d-\d\d-\d\d$/.test(from) ? from : undefined;
  return {
    day: chosen ?? date,
    isOpen: chosen !== undefined || date === today,
    /** What the address has to say for a chosen day; undefined means today. */
    fromFor: (day: string | undefined): string | undefined => {
      const wanted = day ?? today;
      return wanted === today && date === today ? undefined : wanted;
    },
  };
}
