import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { readAgain } from './use-rows.ts';

/**
 * Tells whether a component is still on the page when an answer arrives: an answer to somebody who has left must not
 * take over the page.
 * @returns whether it is there now
 */
export function useStillHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}

/**
 * Leads on from a drawer whose row is no more: to another row of its section, or without an id to the list. Somebody who
 * has left the drawer stays where they are. Then everything is read again.
 */
export function useOnward(section: AdminSection): (id?: number) => Promise<void> {
  const navigate = useNavigate();
  const isHere = useStillHere();
  return async (id) => {
    if (isHere()) {
      await navigate({
        to: '/admin/{-$section}/{-$id}',
        params: { section, id: id === undefined ? undefined : `${id}` },
        search: (search) => search,
      });
    }
    await readAgain();
  };
}
