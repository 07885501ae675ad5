import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `save` when the component unmounts and when the page unloads.
 * @param isAsking also before the page asks whether it may unload; the user may stay, so `save` may be called again
 */
export function useSaveOnLeave(save: () => void, isAsking = false): void {
  const leave = useEffectEvent(save);
  useEffect(() => {
    const listener = () => leave();
    const events = isAsking ? ['beforeunload', 'pagehide'] : ['pagehide'];
    for (const event of events) window.addEventListener(event, listener);
    return () => {
      for (const event of events) window.removeEventListener(event, listener);
      listener();
    };
  }, [isAsking]);
}
