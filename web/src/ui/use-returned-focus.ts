import { type RefObject, useLayoutEffect } from 'react';

/**
 * Gives the focus back to the element that had it when a layer came, once the layer goes: for one that is no `<dialog>`,
 * for which the browser does so. Where the user has gone on to something else, the focus stays there. Call it before the
 * layer takes the focus.
 */
export function useReturnedFocus(layer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = layer.current;
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement)
        opener.focus();
    };
  }, [layer]);
}
