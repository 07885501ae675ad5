import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useContext, useEffect, useEffectEvent, useRef } from 'react';
import type { PageAddress } from '../bus-page/address.ts';
import { BusPageContext } from '../bus-page/use-bus-page.ts';
import { type AddressChange, useAddress } from '../page/use-address.ts';
import type { FragmentAddress } from './address.ts';
import { addressOf, hasSameAddress, type WatchedStore, watchedIn } from './watched.ts';

/**
 * Writes that are made at once, and how long one of them takes to be free again, ms: at most 95 in 30 s. Chromium
 * ignores more than 200 changes of the address in 10 s, Safari refuses more than 100 in 30 s; a held arrow key makes 30
 * a second.
 */
const MOST_AT_ONCE = 20;
const FREE_AFTER_MS = 400;

export interface WatchedAddressOptions {
  /** Further changes of the address when a fragment opens. */
  beside?: AddressChange<FragmentAddress & PageAddress>;
  /** Whether the first fragment adds an entry to the history, so that Back leaves the fragments. */
  hasHistory?: boolean;
}

/** Writes what is watched to the address, and takes over what Back, Forward and links name. */
export function useWatchedAddress(
  store: WatchedStore,
  { beside = {}, hasHistory = true }: WatchedAddressOptions,
): void {
  const history: RouterHistory = useRouter().history;
  const { go, note } = useAddress<FragmentAddress & PageAddress>();
  const page = useContext(BusPageContext);
  // The address names this; it tells the own writes from those of others.
  const written = useRef(store.get());
  const write = useEffectEvent(() => {
    const next = store.get();
    const isFirst = written.current.fragmentId === undefined && next.fragmentId !== undefined;
    // Before the change: the history notifies at once.
    written.current = next;
    const change = { ...(next.fragmentId !== undefined && beside), ...addressOf(next) };
    // Back leaves the fragments instead of stepping through them.
    if (isFirst && hasHistory) go(change);
    else note(change);
  });
  const isOfThisDay = useEffectEvent(
    (query: URLSearchParams) => !page || (query.get('date') ?? page.today) === page.date,
  );
  useEffect(() => {
    const { pathname } = history.location;
    let isLeft = false;
    let free = MOST_AT_ONCE;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refill = () => {
      timer = setTimeout(() => {
        timer = undefined;
        free += 1;
        follow();
        if (free < MOST_AT_ONCE && timer === undefined) refill();
      }, FREE_AFTER_MS);
    };
    const follow = () => {
      if (store.get().isUnasked) return;
      if (free === 0 || isLeft || hasSameAddress(store.get(), written.current)) return;
      free -= 1;
      if (timer === undefined) refill();
      write();
    };
    const leaveStore = store.subscribe(follow);
    const leaveHistory = history.subscribe(({ location }) => {
      const query = new URLSearchParams(location.search);
      // The screen of another page or day replaces this one soon; until then this one must not write there.
      isLeft = location.pathname !== pathname || !isOfThisDay(query);
      const named = watchedIn(query);
      if (isLeft || hasSameAddress(named, written.current)) return;
      written.current = named;
      store.set(named);
    });
    return () => {
      clearTimeout(timer);
      leaveStore();
      leaveHistory();
    };
  }, [store, history]);
}
