import type { Point } from '@ridewatch/contract/primitives';
import type { RouteStop } from '@ridewatch/contract/routes';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '../../../core/lazy-component.tsx';
import { useAddress } from '../../../page/use-address.ts';
import { Waiting } from '../../../page/waiting.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { RouteAddress } from '../address.ts';
import { showPlace } from '../place-text.ts';
import { RouteMap } from '../route-map.tsx';
import type { PartProps } from '../route-state.ts';
import { useRouteText } from '../use-route-text.ts';
import { FewStops } from './few-stops.tsx';
import { NearStops } from './near-stops.tsx';
import { NewStop, type StopDraft } from './new-stop.tsx';
import { StopEditor } from './stop-editor.tsx';
import { StopList } from './stop-list.tsx';
import styles from './stops-part.module.css';
import { useStopEdits } from './use-stop-edits.ts';

const PatternsBar = lazyComponent(
  async () => (await import('../patterns/patterns-bar.tsx')).PatternsBar,
  () => <div className={styles.bar} />,
);
const PatternPart = lazyComponent(
  async () => (await import('../patterns/pattern-part.tsx')).PatternPart,
  () => <Waiting bodyPx={480} />,
);

/** The stops of a route, in a list and on the map. */
export function StopsPart({ route, page }: PartProps) {
  const text = useRouteText();
  const { search, note } = useAddress<RouteAddress>();
  const [draft, setDraft] = useState<StopDraft>();
  const edits = useStopEdits(route?.routeId ?? 0, route?.day ?? page.date, route?.stops ?? []);
  const list = useRef<HTMLDivElement>(null);
  const { stops } = edits;
  const selected = stops.find(({ id }) => String(id) === search.stop);
  const select = (id: number | undefined) =>
    note({ stop: id === undefined ? undefined : String(id) });
  // Scroll the list to a stop that the address or the map selects.
  const showInList = useShownInList(list, selected?.id);
  if (!route) return null;
  if (search.pattern !== undefined) return <PatternPart route={route} />;

  const begin = () => {
    const routeDirection = selected?.routeDirection ?? 'FORWARD';
    const orderKey = selected
      ? selected.orderKey + 1
      : stops.filter((stop) => stop.routeDirection === routeDirection).length;
    setDraft({ name: '', place: '', routeDirection, orderKey });
  };
  const pick = (point: Point) => setDraft((now) => now && { ...now, place: showPlace(point) });
  const editor = (stop: RouteStop) => (
    <StopEditor
      key={stop.id}
      stop={stop}
      stops={stops}
      day={route.day}
      edits={edits}
      page={page}
      isOwnRoute={route.routeId === page.info.group?.id}
      onGone={() => select(undefined)}
    />
  );

  return (
    <div className={styles.part}>
      <div className={styles.column} ref={list}>
        <PatternsBar route={route} />
        <div className={styles.bar}>
          <h3>{text.stops(stops.length)}</h3>
          {route.isOpen && !draft && (
            <Button kind="primary" onClick={begin}>
              {text.addStop}
            </Button>
          )}
        </div>
        <FewStops count={stops.length} />
        <NearStops pairs={route.nearStops} stops={stops} />
        {draft && (
          <NewStop
            draft={draft}
            stops={stops}
            onDraft={setDraft}
            onAdd={edits.add}
            onDone={(id) => {
              setDraft(undefined);
              if (id !== undefined) select(id);
            }}
          />
        )}
        {stops.length === 0 && !draft ? (
          <EmptyState
            title={text.noStopsTitle}
            text={route.isOpen ? text.noStopsText : text.noStopsReadOnly}
          />
        ) : (
          <StopList
            stops={stops}
            isOpen={route.isOpen}
            beginId={page.info.terminal_bus_stop_id}
            selectedId={selected?.id}
            states={edits.states}
            onSelect={select}
            onStep={edits.step}
            onMove={edits.move}
            onRetry={edits.retry}
            // While a stop is being added, the editor is closed; the selection and the map stay.
            editor={route.isOpen && !draft ? editor : undefined}
          />
        )}
      </div>
      <RouteMap
        className={styles.map}
        viewKey={String(route.routeId)}
        track={route.details.track}
        stops={stops}
        selectedId={selected?.id}
        onSelect={(id) => {
          select(id);
          showInList(id);
        }}
        onMove={route.isOpen ? edits.shift : undefined}
        onPick={draft ? pick : undefined}
        picked={draft?.place}
      />
    </div>
  );
}

/**
 * Returns a function that scrolls the list to a stop.
 * @param firstId the stop to scroll to at first
 */
function useShownInList(list: RefObject<HTMLElement | null>, firstId: number | undefined) {
  const [wanted, setWanted] = useState(firstId);
  useEffect(() => {
    if (wanted === undefined) return;
    list.current
      ?.querySelector(`[data-stop="${wanted}"]`)
      ?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    setWanted(undefined);
  }, [list, wanted]);
  return setWanted;
}
