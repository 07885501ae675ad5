import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../core/stored-value.ts';

const autoplay = createStoredValue<boolean>('ridewatch.autoplay', (raw) => raw === true);

/** Whether the next fragment plays automatically; stored in this browser, off by default. */
export function useAutoplay(): boolean {
  return useSyncExternalStore(autoplay.subscribe, autoplay.get);
}

export const setAutoplay = autoplay.set;
