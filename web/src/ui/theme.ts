import { useSyncExternalStore } from 'react';
import { stored } from '../stored.ts';

export type Theme = 'light' | 'dark' | 'system';

const theme = stored<Theme>('ridewatch.theme', (raw) =>
  raw === 'light' || raw === 'dark' ? raw : 'system',
);
theme.subscribe(applyTheme);

/** Puts the chosen theme on the document; `system` leaves it to the media query. */
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

export const setTheme = theme.set;

export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.get);
}
