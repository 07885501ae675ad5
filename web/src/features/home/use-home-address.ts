import { useNavigate, useSearch } from '@tanstack/react-router';
import type { HomeAddress } from './address.ts';

/** What the map and the hours show, which the address holds. */
export function useHomeAddress() {
  const navigate = useNavigate();
  const { show, key } = useSearch({ from: '/signed-in/' });
  return {
    show,
    side: key === 'exited' ? ('exited' as const) : ('entered' as const),
    note: (change: { [Key in keyof HomeAddress]?: string | undefined }) =>
      void navigate({
        to: '/',
        search: (before) => ({ ...before, ...change }),
        replace: true,
        resetScroll: false,
      }),
  };
}
