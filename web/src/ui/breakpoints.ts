import { useSyncExternalStore } from 'react';

// Mobile below 960 px, wide from 1560 px (spec section 2).
const phone = window.matchMedia('(max-width: 959.98px)');
const wide = window.matchMedia('(min-width: 1560px)');

/** Whether the mobile layout is shown. */
export function useIsPhone(): boolean {
  return useMatch(phone);
}

/** Whether the layout with the list at the side is shown. */
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
