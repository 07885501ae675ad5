import { useEffect } from 'react';

const PRODUCT = 'Ridewatch';

/** Sets the title of the browser tab and of its history entry. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}
