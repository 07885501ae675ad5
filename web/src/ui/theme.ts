import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../core/stored-value.ts';

export type Theme = 'light' | 'dark' | 'system';

const theme = createStoredValue<Theme>('ridewatch.theme', (raw) =>
  raw === 'light' || raw === 'dark' ? raw : 'system',
);
const dark = matchMedia('(prefers-color-scheme: dark)');
theme.subscribe(applyTheme);
dark.addEventListener('change', applyTheme);

/** Sets the document's theme: the chosen one, or the system's. */
export function applyTheme(): void {
  const chosen = theme.get();
  const system = dark.matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'system' ? system : chosen;
}

export const setTheme = theme.set;

export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.get);
}
