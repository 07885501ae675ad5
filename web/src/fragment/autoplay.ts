import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../stored-value.ts';

const autoplay = createStoredValue<boolean>('ridewatch.autoplay', (raw) => raw === true);

/** Whether the next fragment plays by itself; kept in this browser, off at first. */
export function useAutoplay(): boolean {
  return useSyncExternalStore(autoplay.subscribe, autoplay.get);
}

export const setAutoplay = autoplay.set;
