import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { CustomerBuses } from '../buses/order.ts';
import { prepareSearch, searchBuses } from '../buses/search.ts';
import { useSession } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { collapsed } from './collapsed.ts';
import { SideBuses } from './side-buses.tsx';
import styles from './side-list.module.css';
import { sideRows } from './side-rows.ts';
import type { Tab, Tabs } from './tabs.ts';
import { usePageText } from './use-page-text.ts';

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

/** The list of all buses that the user may see, beside the page, with search; it can be collapsed. */
export function SideList(props: SideListProps) {
  const isCollapsed = useSyncExternalStore(collapsed.subscribe, collapsed.get);
  const text = usePageText();
  if (!isCollapsed) return <OpenList {...props} />;
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

function OpenList({ sections, isFailed, onRetry, ...shown }: SideListProps) {
  const text = usePageText();
  const { common } = useText();
  const user = useSession()?.user;
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  // Spec section 2: the headings of customers are for administrators, and for integrators with clients.
  const hasCustomers =
    user?.role === 'ADMIN' || (user?.role === 'INTEGRATOR' && user.integrator_clients.length > 0);
  const rows = useMemo(
    () => sideRows(searchBuses(sections ?? [], wanted), hasCustomers),
    [sections, wanted, hasCustomers],
  );
  useEffect(() => (sections ? prepareSearch(sections) : undefined), [sections]);
  return (
    <aside className={styles.side} aria-label={text.allBuses}>
      <div className={styles.list}>
        <div className={styles.head}>
          <SearchBox
            className={styles.search}
            label={text.busSearch}
            value={query}
            data-bus-search
            onChange={setQuery}
          />
          <IconButton label={text.collapse} onClick={() => collapsed.set(true)}>
            <BackIcon />
          </IconButton>
        </div>
        {sections === undefined && isFailed && (
          <p className={styles.note} role="alert">
            {text.busesFailed}
            <Button onClick={onRetry}>{common.retry}</Button>
          </p>
        )}
        {wanted !== '' && sections && rows.length === 0 && (
          <p className={styles.note}>{text.busesNoMatch}</p>
        )}
        <SideBuses rows={rows} query={wanted} hasCustomers={hasCustomers} {...shown} />
      </div>
    </aside>
  );
}
