import { useNavigate, useSearch } from '@tanstack/react-router';
import { useContext } from 'react';
import { type BusSearch, readBusSearch } from '../bus-address.ts';
import { BusPageContext } from './use-bus-page.ts';

/** What of the address is of one day: with it the day stands there too, also today. */
const OF_A_DAY = ['fragment', 'lap', 'pin', 'stop', 'span'] as const;

/** What of the page stands in the address, and how to change it. */
export function useAddress(): {
  search: BusSearch;
  /** A step that Back undoes. */
  go: (change: Partial<Record<keyof BusSearch, string | undefined>>) => void;
  /** A change that Back need not know of. */
  note: (change: Partial<Record<keyof BusSearch, string | undefined>>) => void;
} {
  const raw = useSearch({ strict: false });
  const search = readBusSearch(raw);
  const navigate = useNavigate();
  const page = useContext(BusPageContext);
  const change = (
    next: Partial<Record<keyof BusSearch, string | undefined>>,
    replace: boolean,
  ): void => {
    const wanted = { ...search, ...next };
    // A link that is opened tomorrow still leads to today's fragment; a day without one goes on to be today.
    const isOfADay = OF_A_DAY.some((key) => wanted[key] !== undefined);
    if (page && isOfADay) wanted.date ??= page.date;
    else if (page && wanted.date === page.today) delete wanted.date;
    const merged = Object.entries(wanted).filter(([, value]) => value !== undefined);
    void navigate({
      to: '.',
      search: readBusSearch(Object.fromEntries(merged)),
      replace,
      resetScroll: false,
    });
  };
  return {
    search,
    go: (next) => change(next, false),
    note: (next) => change(next, true),
  };
}
