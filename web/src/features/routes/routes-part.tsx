import { type BusRoute, searchRoutes } from '@ridewatch/contract/bus-routes';
import { folded } from '@ridewatch/contract/folded';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useMayEdit, useSession } from '../../core/session.ts';
import { Waiting } from '../../page/waiting.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { RouteRow } from './route-row.tsx';
import type { PartProps } from './route-state.ts';
import styles from './routes-part.module.css';
import { useRouteText } from './use-route-text.ts';

/** Longer lists have a search. */
const FEW = 7;
const MOST = 5000;
/** Rows shown at first and added by each press. */
const SHOWN = 100;

/** The routes of the bus's customers: their revenue calculation, and which is the bus's. */
export function RoutesPart({ page }: PartProps) {
  const text = useRouteText();
  const user = useSession()?.user;
  const mayEdit = useMayEdit();
  const [query, setQuery] = useState('');
  const [most, setMost] = useState(SHOWN);
  const answer = useEndpoint(searchRoutes, { query: { workplaceId: page.info.id, perPage: MOST } });
  const { data } = answer;
  if (!data) return <Waiting answer={answer} failed={text.failedTitle} bodyPx={320} />;
  if (data.items.length === 0) {
    return <EmptyState title={text.noRoutesTitle} text={text.noRoutesText} />;
  }
  const wanted = folded(query);
  const found = data.items.filter(({ name }) => folded(name).includes(wanted));
  const own = page.info.group?.id;
  // The bus's own route first: the user came from there.
  const sorted = [...found.filter(({ id }) => id === own), ...found.filter(({ id }) => id !== own)];
  const row = (route: BusRoute) => (
    <RouteRow
      key={route.id}
      route={route}
      page={page}
      isOwn={route.id === own}
      mayEdit={mayEdit}
      isAdmin={user?.role === 'ADMIN'}
    />
  );
  return (
    <div className={styles.part}>
      {data.items.length > FEW && (
        <SearchBox
          className={styles.search}
          label={text.routeSearch}
          value={query}
          data-search
          onChange={setQuery}
        />
      )}
      {found.length === 0 && <p role="status">{text.noMatch}</p>}
      <ul className={styles.list}>{sorted.slice(0, most).map(row)}</ul>
      {sorted.length > most && (
        <Button onClick={() => setMost(most + SHOWN)}>{text.showMore(sorted.length - most)}</Button>
      )}
    </div>
  );
}
