import { useLayoutEffect, useState } from 'react';
import { useIsPhone } from './breakpoints.ts';

/** The place in a phone's top bar for a screen's own title; null on a desktop. */
export function useTopBar(): HTMLElement | null {
  const isPhone = useIsPhone();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  // Not a context of the shell, whose bytes the sign-in page would load.
  useLayoutEffect(() => {
    setPlace(isPhone ? document.querySelector<HTMLElement>('[data-top-bar]') : null);
  }, [isPhone]);
  return place;
}
