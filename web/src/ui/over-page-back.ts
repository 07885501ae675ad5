import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** The layers that are open over the page, the uppermost last. */
const layers: object[] = [];

/**
 * Makes Back close what lies over the page, the uppermost first, and stay on the page; links in it lead where they say.
 * For what the address does not hold: Back closes the rest by itself.
 */
export function useBackCloses(onClose: () => void): void {
  const history = useRouter({ warn: false })?.history;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const layer = {};
    layers.push(layer);
    const release = history?.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        // The history asks all layers, and may still ask one that has been closed.
        const isBlocked = layers.at(-1) === layer && action !== 'PUSH' && action !== 'REPLACE';
        if (isBlocked) close();
        return isBlocked;
      },
    });
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      release?.();
    };
  }, [history]);
}
