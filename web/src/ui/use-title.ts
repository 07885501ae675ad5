import { useEffect } from 'react';

const PRODUCT = 'Ridewatch';

/** Names the browser's tab and its place in the history after what is on the screen. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}
