import { useSyncExternalStore } from 'react';

// Mobile below 960 px, wide from 1560 px (spec section 2).
const phone = window.matchMedia('(max-width: 959.98px)');
const wide = window.matchMedia('(min-width: 1560px)');
const print = window.matchMedia('print');

/** Whether the page has the mobile layout. */
export function useIsPhone(): boolean {
  return useMatch(phone);
}

/** Whether the page has the layout with the list of buses at the side. */
export function useIsWide(): boolean {
  return useMatch(wide);
}

/** Whether each query matched on the screen. */
const onScreen = new Map<MediaQueryList, boolean>();

// The page keeps its layout while it is printed, whatever the paper's width: another one would lose what is open.
function matches(query: MediaQueryList): boolean {
  const known = onScreen.get(query);
  if (print.matches && known !== undefined) return known;
  onScreen.set(query, query.matches);
  return query.matches;
}

/** Followers of the width; React draws what all of them ask for at once, so no part of a page is ahead of another. */
const followers = new Set<() => void>();
const tell = (): void => {
  for (const follow of followers) follow();
};
for (const query of [phone, wide]) query.addEventListener('change', tell);

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (follow) => {
      followers.add(follow);
      return () => followers.delete(follow);
    },
    () => matches(query),
  );
}
