import { useNavigate, useSearch } from '@tanstack/react-router';
import { pickedIdOf } from '../../core/picked-id.ts';
import type { HomeAddress } from './address.ts';

/** The figures of the hours. */
export const sides = ['entered', 'exited', 'revenue'] as const;
export type Side = (typeof sides)[number];

/** Gives what the map and the hours show, which the address holds. */
export function useHomeAddress() {
  const navigate = useNavigate();
  const { show, bus, key, customer } = useSearch({ from: '/signed-in/' });
  return {
    show,
    clientId: pickedIdOf(customer),
    busId: pickedIdOf(bus),
    side: sides.find((one) => one === key) ?? 'entered',
    note: (change: { [Key in keyof HomeAddress]?: string | undefined }) =>
      void navigate({
        to: '/',
        search: (before) => ({ ...before, ...change }),
        replace: true,
        resetScroll: false,
      }),
  };
}
