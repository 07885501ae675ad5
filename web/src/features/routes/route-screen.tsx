import { addDays } from '@ridewatch/contract/day';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type BusPageState, useBusPage } from '../../bus-page/use-bus-page.ts';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { Waiting } from '../../page/waiting.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Part } from './parts.ts';
import styles from './route-screen.module.css';
import type { PartProps } from './route-state.ts';
import { useRouteText } from './use-route-text.ts';
import { useShownRoute } from './use-shown-route.ts';
import { ValidFrom } from './valid-from.tsx';

const StopsPart = lazyComponent(
  async () => (await import('./stops/stops-part.tsx')).StopsPart,
  Outline,
);
const PricesPart = lazyComponent(
  async () => (await import('./prices/prices-part.tsx')).PricesPart,
  Outline,
);
const RoutesPart = lazyComponent(
  async () => (await import('./routes-part.tsx')).RoutesPart,
  Outline,
);
const ActionsPart = lazyComponent(
  async () => (await import('./actions/actions-part.tsx')).ActionsPart,
  Outline,
);

const contents: Readonly<Record<Part['id'], ComponentType<PartProps>>> = {
  stops: StopsPart,
  price: PricesPart,
  routes: RoutesPart,
  actions: ActionsPart,
};

/** The route tab of a bus: stops, prices, all routes, and actions. */
export function RouteScreen() {
  const text = useRouteText();
  const page = useBusPage();
  useRouteKeys(page);
  const shown = useShownRoute(page);
  const { details, route, day, isOpen, mayEdit, at, search, go } = shown;
  const own = page.info.group;
  return (
    <div className={styles.route}>
      {/* Above what differs between the parts, so that the tabs keep their place. */}
      <Parts shown={shown} busId={page.info.id} />
      <div className={styles.head}>
        <div className={styles.which}>
          {details && (
            <h2 className={styles.name}>
              {details.name}{' '}
              <span className={styles.tag}>
                {details.type_calculation === 'FIXED' ? text.fixed : text.calculation}
              </span>
              {route && route.routeId !== own?.id && (
                <span className={styles.tag} data-kind="other">
                  {text.otherRoute}
                </span>
              )}
            </h2>
          )}
          {search.route !== undefined &&
            !shown.isUnknown &&
            own &&
            search.route !== String(own.id) && (
              <Button kind="quiet" onClick={() => go({ route: undefined, stop: undefined })}>
                {text.ownRoute}
              </Button>
            )}
        </div>
        {at.id !== 'routes' && (details || at.id === 'actions') && (
          <ValidFrom
            day={day}
            today={page.today}
            isOpen={isOpen}
            mayEdit={mayEdit}
            onDay={(chosen) => go({ from: shown.fromFor(chosen) })}
          />
        )}
      </div>
      <Content shown={shown} page={page} />
    </div>
  );
}

interface ShownProps {
  shown: ReturnType<typeof useShownRoute>;
}

/** The parts of the route as tabs. */
function Parts({ shown, busId }: ShownProps & { busId: number }) {
  const text = useRouteText();
  const { part: _part, stop: _stop, pattern: _pattern, act: _act, ...others } = shown.search;
  return (
    <nav className={styles.parts} aria-label={text.parts}>
      {shown.open.map((part) => (
        <Link
          key={part.id}
          to="/bus/$busId/route"
          params={{ busId: String(busId) }}
          search={part.id === 'stops' ? others : { ...others, part: part.id }}
          resetScroll={false}
          // Compare the whole query: the addresses of other parts extend that of the first one.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          className={styles.part}
          aria-current={part.id === shown.at.id ? 'page' : undefined}
        >
          {part.title(text)}
        </Link>
      ))}
    </nav>
  );
}

/** The shown part, or the reason why there is none. */
function Content({ shown, page }: ShownProps & { page: BusPageState }) {
  const text = useRouteText();
  const { routeId, route, day, isOpen, isUnknown, mayEdit, at, answer, go, note } = shown;
  const Part = contents[at.id];
  // The list of routes and the actions need no route.
  const needsRoute = at.id === 'stops' || at.id === 'price';
  if (routeId === undefined && needsRoute) {
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
  if (route || (!needsRoute && (routeId === undefined || isUnknown))) {
    return (
      <Part
        // A selected file survives a change of the day.
        key={at.id === 'actions' ? `${routeId}` : `${routeId}:${day}:${route?.isOpen}`}
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
}

function useRouteKeys({ date, goToDay }: BusPageState): void {
  useDayKeys((event) => {
    if (event.code !== 'BracketLeft' && event.code !== 'BracketRight') return false;
    goToDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
    return true;
  });
}

function Outline() {
  return <Waiting headPx={56} bodyPx={480} />;
}
