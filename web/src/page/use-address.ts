import { type RouterHistory, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import type { AddressKeys, Search } from '../core/address.ts';

/** The day of a page whose address may leave it out. */
export interface AddressDay {
  /** The keys of the page's query. */
  readonly address: AddressKeys;
  /** The shown local day. */
  readonly date: string;
  /** The day that the address may leave out; undefined if it names every day. */
  readonly undated: string | undefined;
}

export const AddressDayContext = createContext<AddressDay | null>(null);

/** New values of keys; undefined removes a key. */
export type AddressChange<Keys extends AddressKeys> = {
  [Key in keyof Keys]?: string | undefined;
};

interface Address<Keys extends AddressKeys> {
  search: Search<Keys>;
  /** Adds an entry to the history. */
  go: (change: AddressChange<Keys>) => void;
  /** Replaces the entry in the history. */
  note: (change: AddressChange<Keys>) => void;
}

/** The query of a screen, and functions that change it. */
export function useAddress<Keys extends AddressKeys>(): Address<Keys> {
  const found = useSearch({ strict: false });
  // The table of screens gives this screen the same keys.
  const search = found as Search<Keys>;
  const navigate = useNavigate();
  const history: RouterHistory = useRouter().history;
  const page = useContext(AddressDayContext);
  const change = (next: AddressChange<Keys>, replace: boolean): void => {
    // The router renders a change later than the history has it; two changes at once must not undo each other.
    const newest = Object.fromEntries(new URLSearchParams(history.location.search));
    const wanted: Record<string, string | undefined> = { ...newest, ...next };
    // If a key of the day is set, name the day, so that a link opened tomorrow leads to the same fragment. Otherwise
    // the day of an address without a date stays out of it.
    const isOfADay = Object.keys(wanted).some(
      (key) => wanted[key] !== undefined && page?.address[key] === 'ofDay',
    );
    if (page && isOfADay) wanted.date ??= page.date;
    else if (page && wanted.date === page.undated) delete wanted.date;
    void navigate({
      to: '.',
      search: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
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

/** The query as the history has it. The router renders it later, and keys are faster. */
export function useNewestSearch(): URLSearchParams {
  const history: RouterHistory = useRouter().history;
  const search = useSyncExternalStore(history.subscribe, () => history.location.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}
