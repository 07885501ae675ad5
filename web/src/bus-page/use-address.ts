import { useNavigate, useSearch } from '@tanstack/react-router';
import { useContext } from 'react';
import type { AddressKeys, Search } from '../address.ts';
import type { PageAddress } from './address.ts';
import { BusPageContext } from './use-bus-page.ts';

/** New values of some keys; undefined takes a key away. */
export type AddressChange<Keys extends AddressKeys> = {
  [Key in keyof (Keys & PageAddress)]?: string | undefined;
};

interface Address<Keys extends AddressKeys> {
  search: Search<Keys & PageAddress>;
  /** A step that Back undoes. */
  go: (change: AddressChange<Keys>) => void;
  /** A change that Back need not know of. */
  note: (change: AddressChange<Keys>) => void;
}

/** What of a screen stands in the address, and how to change it. */
export function useAddress<Keys extends AddressKeys>(): Address<Keys> {
  const found = useSearch({ strict: false });
  // Of the screen that asks: the table of screens names the same keys.
  const search = found as Search<Keys & PageAddress>;
  const navigate = useNavigate();
  const page = useContext(BusPageContext);
  const change = (next: AddressChange<Keys>, replace: boolean): void => {
    const wanted: Record<string, string | undefined> = { ...search, ...next };
    // A link that is opened tomorrow still leads to today's fragment; a day without one goes on to be today.
    const isOfADay = Object.keys(wanted).some(
      (key) => wanted[key] !== undefined && page?.address[key] === 'ofDay',
    );
    if (page && isOfADay) wanted.date ??= page.date;
    else if (page && wanted.date === page.today) delete wanted.date;
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
