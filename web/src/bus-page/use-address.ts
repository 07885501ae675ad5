import { useNavigate, useSearch } from '@tanstack/react-router';
import { type BusSearch, readBusSearch } from '../bus-address.ts';

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
  const change = (
    next: Partial<Record<keyof BusSearch, string | undefined>>,
    replace: boolean,
  ): void => {
    const merged = Object.entries({ ...search, ...next }).filter(
      ([, value]) => value !== undefined,
    );
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
