import { useSyncExternalStore } from 'react';

// Mobile below 960 px, wide from 1560 px (spec section 2).
const phone = window.matchMedia('(max-width: 959.98px)');
const wide = window.matchMedia('(min-width: 1560px)');

/** Whether the page has the mobile layout. */
export function useIsPhone(): boolean {
  return useMatch(phone);
}

/** Whether the page has the layout with the list of buses at the side. */
export function useIsWide(): boolean {
  return useMatch(wide);
}

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => query.matches,
  );
}
