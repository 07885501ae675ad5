import { memo, useSyncExternalStore } from 'react';
import { createStoredValue } from '../../core/stored-value.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { drawn } from '../../ui/icons.tsx';
import styles from './bus-list-screen.module.css';
import { columnsIn } from './sizes.ts';
import { useListText } from './use-list-text.ts';

type View = 'rows' | 'tiles';
const views: readonly View[] = ['rows', 'tiles'];
const icons = {
  rows: drawn('M4 6h16M4 12h16M4 18h16'),
  tiles: drawn('M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z'),
};

const stored = createStoredValue<View>('ridewatch.bus-list-view', (raw) =>
  raw === 'tiles' ? 'tiles' : 'rows',
);

const railed = window.matchMedia('(min-width: 1280px)');

/** Whether the page is wide enough for the list of routes beside the list. */
export function useHasRail(): boolean {
  return useSyncExternalStore(
    (listener) => {
      railed.addEventListener('change', listener);
      return () => railed.removeEventListener('change', listener);
    },
    () => railed.matches,
  );
}

/**
 * The number of tiles in a row that is as wide as the page; undefined for a board, which phones never show.
 * @param width of the list, px
 */
export function useTiles(width: number): number | undefined {
  const view = useSyncExternalStore(stored.subscribe, stored.get);
  return useIsPhone() || view === 'tiles' ? columnsIn(width) : undefined;
}

/** The choice between board and tiles, kept in this browser. */
export const ViewChoice = memo(function ViewChoice() {
  const own = useListText().view;
  const view = useSyncExternalStore(stored.subscribe, stored.get);
  return (
    <fieldset className={styles.views} aria-label={own.label}>
      {views.map((each) => {
        const Icon = icons[each];
        return (
          <button
            key={each}
            type="button"
            aria-pressed={view === each}
            aria-label={own[each]}
            title={own[each]}
            onClick={() => stored.set(each)}
          >
            <Icon />
          </button>
        );
      })}
    </fieldset>
  );
});
