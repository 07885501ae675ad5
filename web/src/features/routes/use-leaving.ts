import { useEffect, useEffectEvent } from 'react';

/** Does something when the component goes, be it that another takes its place or that the page is left. */
export function useLeaving(save: () => void): void {
  const leave = useEffectEvent(save);
  useEffect(() => {
    const listener = () => leave();
    window.addEventListener('pagehide', listener);
    return () => {
      window.removeEventListener('pagehide', listener);
      listener();
    };
  }, []);
}
