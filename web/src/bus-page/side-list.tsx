import { Link } from '@tanstack/react-router';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { busesAround, type CustomerBuses } from '../buses/order.ts';
import { searchBuses } from '../buses/search.ts';
import { useText } from '../i18n/language.ts';
import { createStoredValue } from '../stored-value.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import styles from './side-list.module.css';
import { type Tab, type Tabs, tabAt } from './tabs.ts';
import { usePageText } from './use-page-text.ts';

/** Whether the list is collapsed. */
export const collapsed = createStoredValue<boolean>(
  'ridewatch.side-list-collapsed',
  (raw) => raw === true,
);

interface SideListProps {
  /** Undefined until they are known. */
  sections: readonly CustomerBuses[] | undefined;
  isFailed: boolean;
  onRetry: () => void;
  busId: number;
  /** The day in the address; links to other buses keep it. */
  date: string | undefined;
  tabs: Tabs;
  /** The shown tab; links to other buses open it, too. */
  tab: Tab;
}

/** A list of buses beside the page, with search; it can be collapsed. */
export function SideList(props: SideListProps) {
  const { sections, isFailed, onRetry, busId, date, tabs, tab } = props;
  const text = usePageText();
  const { common, shell } = useText();
  const [query, setQuery] = useState('');
  const isCollapsed = useSyncExternalStore(collapsed.subscribe, collapsed.get);
  const near = useMemo(() => {
    if (sections === undefined) return [];
    const around = new Set(busesAround(sections, busId).map(({ id }) => id));
    const own = sections.filter(({ routes }) =>
      routes.some((route) => route.buses.some((bus) => around.has(bus.id))),
    );
    return searchBuses(own, query);
  }, [sections, busId, query]);
  if (isCollapsed) {
    return (
      <aside className={styles.folded}>
        <div className={styles.list}>
          <IconButton label={text.expand} onClick={() => collapsed.set(false)}>
            <ForwardIcon />
          </IconButton>
        </div>
      </aside>
    );
  }
  return (
    <aside className={styles.side} aria-label={text.busesNear}>
      <div className={styles.list}>
        <div className={styles.head}>
          <input
            type="search"
            className={styles.search}
            value={query}
            placeholder={text.busSearch}
            aria-label={text.busSearch}
            data-bus-search
            onChange={(event) => setQuery(event.target.value)}
          />
          <IconButton label={text.collapse} onClick={() => collapsed.set(true)}>
            <BackIcon />
          </IconButton>
        </div>
        {sections === undefined && isFailed && (
          <p className={styles.note}>
            {text.busesFailed}
            <Button onClick={onRetry}>{common.retry}</Button>
          </p>
        )}
        {query !== '' && near.length === 0 && <p className={styles.note}>{text.busesNoMatch}</p>}
        {near.flatMap(({ routes }) =>
          routes.map((route) => (
            <section key={route.id}>
              <h2 className={styles.route}>
                {route.name ?? shell.ungrouped} <span>{route.buses.length}</span>
              </h2>
              <ul className={styles.buses}>
                {route.buses.map((bus) => (
                  <li key={bus.id}>
                    <Link
                      to={tabAt(tabs, bus, tab).path}
                      params={{ busId: String(bus.id) }}
                      search={date === undefined ? {} : { date }}
                      className={styles.bus}
                      aria-current={bus.id === busId ? 'page' : undefined}
                    >
                      {bus.name}
                      <span className={styles.dots} aria-hidden="true">
                        {bus.cameras.map((camera) => (
                          <i
                            key={camera.id}
                            data-online={camera.enabled || camera.status === 'online' || undefined}
                          />
                        ))}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )),
        )}
      </div>
    </aside>
  );
}
