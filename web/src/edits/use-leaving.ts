import { useEffect, useEffectEvent } from 'react';

/**
 * Does something when the component goes, be it that another takes its place or that the page is left.
 * @param isAsking also before the page asks whether it may be left, which it may be not; doing it twice must do no harm
 */
export function useLeaving(save: () => void, isAsking = false): void {
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
