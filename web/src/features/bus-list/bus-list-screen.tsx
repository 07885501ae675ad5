import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { prepareSearch, searchBuses } from '../../buses/search.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useText } from '../../i18n/language.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { Banners, useMessages } from './banners.tsx';
import styles from './bus-list-screen.module.css';
import { BusRows } from './bus-rows.tsx';
import { isAhead, openText, seeAddress, sendText } from './query-text.ts';
import { SearchBox } from './search-box.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import { useCustomerRoutes } from './use-customer-routes.ts';
import { useListText } from './use-list-text.ts';

const ADDRESS_DELAY_MS = 300;

/** The list of all buses that the user may see, with search. */
export function BusListScreen() {
  const text = useText();
  const own = useListText();
  const user = useSession()?.user;
  const { sections, isError, refetch, isFetching } = useBuses();
  const { isKnown, messages } = useMessages();
  useTitle(text.shell.buses);
  const [query, setQuery] = useQueryText();
  const wanted = useDeferredValue(query);
  const found = useMemo(() => sections && searchBuses(sections, wanted), [sections, wanted]);
  useEffect(() => (sections ? prepareSearch(sections) : undefined), [sections]);
  const isAdmin = user?.role === 'ADMIN';
  const routes = useCustomerRoutes(isAdmin);
  const hasClients = user?.role === 'INTEGRATOR' && user.integrator_clients.length > 0;
  const count = found?.reduce(
    (sum, section) => sum + section.routes.reduce((all, route) => all + route.buses.length, 0),
    0,
  );

  const list = () => {
    if (!found || !sections) {
      if (!isError) return <SkeletonRows isAdmin={isAdmin} />;
      return (
        <EmptyState title={text.common.loadFailed} text={own.failedText}>
          <Button kind="primary" isBusy={isFetching} onClick={() => void refetch()}>
            {text.common.retry}
          </Button>
        </EmptyState>
      );
    }
    if (sections.every(({ routes }) => routes.length === 0)) {
      return <EmptyState title={own.emptyTitle} text={own.emptyText} />;
    }
    if (found.length === 0) {
      return (
        <EmptyState title={own.noMatchTitle} text={own.noMatchText(wanted)}>
          <Button onClick={() => setQuery('')}>{own.clearSearch}</Button>
        </EmptyState>
      );
    }
    return (
      <BusRows
        sections={found}
        routes={routes}
        isAdmin={isAdmin}
        hasCustomers={isAdmin || hasClients}
      />
    );
  };

  // Render nothing before the messages are known: they would push the list down.
  if (!isKnown) return <div className={styles.page} aria-busy="true" />;
  return (
    <div className={styles.page} aria-busy={!found && !isError}>
      <Banners messages={messages} />
      <div className={styles.bar}>
        <h1 className={styles.title}>{text.shell.buses}</h1>
        <SearchBox value={query} onChange={setQuery} />
        <span className={styles.count} role="status">
          {count !== undefined && text.common.buses(count)}
        </span>
      </div>
      {list()}
    </div>
  );
}

// The field changes at once, the address after a pause in typing.
function useQueryText(): [string, (value: string) => void] {
  const inAddress = useSearch({ strict: false, select: (search) => search.q ?? '' });
  const navigate = useNavigate();
  const [text, setText] = useState(() => openText(inAddress));
  if (inAddress !== text.inAddress) setText(seeAddress(text, inAddress));
  const { typed } = text;
  const ahead = isAhead(text);
  useEffect(() => {
    if (!ahead) return;
    const timer = setTimeout(() => {
      setText(sendText);
      void navigate({
        to: '.',
        search: typed ? { q: typed } : {},
        replace: true,
        resetScroll: false,
      });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed, ahead, navigate]);
  const setTyped = (value: string): void => setText((before) => ({ ...before, typed: value }));
  return [typed, setTyped];
}
