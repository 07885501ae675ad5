import { addDays } from '@ridewatch/contract/day';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useAddress } from '../../bus-page/use-address.ts';
import { type BusPageState, useBusPage } from '../../bus-page/use-bus-page.ts';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import { Waiting } from '../../bus-page/waiting.tsx';
import { later } from '../../later.tsx';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { RouteAddress } from './address.ts';
import { openParts, type Part } from './parts.ts';
import styles from './route-screen.module.css';
import { type PartProps, readRouteDay } from './route-state.ts';
import { useRoute } from './use-route.ts';
import { useRouteText } from './use-route-text.ts';
import { ValidFrom } from './valid-from.tsx';

const StopsPart = later(async () => (await import('./stops/stops-part.tsx')).StopsPart, Outline);
const PricesPart = later(
  async () => (await import('./prices/prices-part.tsx')).PricesPart,
  Outline,
);
const RoutesPart = later(async () => (await import('./routes-part.tsx')).RoutesPart, Outline);
const ActionsPart = later(
  async () => (await import('./actions/actions-part.tsx')).ActionsPart,
  Outline,
);

const contents: Readonly<Record<Part['id'], ComponentType<PartProps>>> = {
  stops: StopsPart,
  price: PricesPart,
  routes: RoutesPart,
  actions: ActionsPart,
};

/** The route of a bus: its stops, its prices, the other routes, and what can be made out of the day. */
export function RouteScreen() {
  const text = useRouteText();
  const page: BusPageState = useBusPage();
  const { info, date, today } = page;
  const user = useSession()?.user;
  useDayKeys((event) => {
    if (event.code === 'Slash' && !event.shiftKey) {
      document.querySelector<HTMLInputElement>('[data-bus-search]')?.focus();
      return true;
    }
    if (event.code !== 'BracketLeft' && event.code !== 'BracketRight') return false;
    page.goToDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
    return true;
  });
  const mayEdit = user?.can_edit === true;
  const { search, go, note } = useAddress<RouteAddress>();
  const { day, isOpen, fromFor } = readRouteDay(search.from, date, today);
  const named = Number(search.route ?? Number.NaN);
  const groupId = Number.isSafeInteger(named) && named > 0 ? named : info.group?.id;
  const answer = useRoute(groupId, day);
  const isUnknown = search.route !== undefined && answer.error?.status === 404;
  const route =
    answer.data && groupId !== undefined
      ? { groupId, day, isOpen: isOpen && mayEdit, ...answer.data }
      : undefined;
  const group = route?.group ?? (isUnknown ? null : info.group);
  const { open, at } = openParts({ group, mayEdit }, search.part);
  const { part: _part, stop: _stop, act: _act, ...kept } = search;
  const Content = contents[at.id];
  // The list of routes and the actions are there also while the bus has no route.
  const needsRoute = at.id === 'stops' || at.id === 'price';

  const content = () => {
    if (groupId === undefined && needsRoute) {
      return (
        <EmptyState
          title={text.noRouteTitle}
          text={mayEdit ? text.noRouteText : text.noRouteReadOnly}
        >
          <Button kind="primary" onClick={() => go({ part: 'routes' })}>
            {text.toRoutes}
          </Button>
        </EmptyState>
      );
    }
    if (route || (!needsRoute && (groupId === undefined || isUnknown))) {
      return (
        <Content
          // A file that was chosen stays when another day is.
          key={at.id === 'actions' ? `${groupId}` : `${groupId}:${day}:${route?.isOpen}`}
          route={route}
          day={day}
          isOpen={isOpen && mayEdit}
          page={page}
        />
      );
    }
    if (isUnknown) {
      return (
        <EmptyState title={text.unknownTitle} text={text.unknownText}>
          <Button kind="primary" onClick={() => note({ route: undefined })}>
            {text.ownRoute}
          </Button>
        </EmptyState>
      );
    }
    return <Waiting answer={answer} failed={text.failedTitle} headPx={56} bodyPx={480} />;
  };

  return (
    <div className={styles.route}>
      <div className={styles.head}>
        <div className={styles.which}>
          {group && (
            <h2 className={styles.name}>
              {group.name}{' '}
              <span className={styles.tag}>
                {group.type_calculation === 'FIXED' ? text.fixed : text.calculation}
              </span>
              {route && route.groupId !== info.group?.id && (
                <span className={styles.tag} data-kind="other">
                  {text.otherRoute}
                </span>
              )}
            </h2>
          )}
          {search.route !== undefined &&
            !isUnknown &&
            info.group &&
            search.route !== String(info.group.id) && (
              <Button kind="quiet" onClick={() => go({ route: undefined, stop: undefined })}>
                {text.ownRoute}
              </Button>
            )}
        </div>
        {at.id !== 'routes' && (group || at.id === 'actions') && (
          <ValidFrom
            day={day}
            today={today}
            isOpen={isOpen}
            mayEdit={mayEdit}
            onDay={(chosen) => go({ from: fromFor(chosen) })}
          />
        )}
      </div>
      <nav className={styles.parts} aria-label={text.parts}>
        {open.map((part) => (
          <Link
            key={part.id}
            to="/bus/$busId/route"
            params={{ busId: String(info.id) }}
            search={part.id === 'stops' ? kept : { ...kept, part: part.id }}
            resetScroll={false}
            // Only ours says which part is shown: the others' addresses are parts of it.
            activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
            className={styles.part}
            aria-current={part.id === at.id ? 'page' : undefined}
          >
            {part.title(text)}
          </Link>
        ))}
      </nav>
      {content()}
    </div>
  );
}

function Outline() {
  return <Waiting headPx={56} bodyPx={480} />;
}
