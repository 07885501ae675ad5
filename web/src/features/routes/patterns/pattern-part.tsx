import type { RoutePattern } from '@ridewatch/contract/route-patterns';
import type { RouteStop } from '@ridewatch/contract/routes';
import { useState } from 'react';
import { NoteButton } from '../../../edits/note-button.tsx';
import { useChanges } from '../../../edits/use-changes.ts';
import { Modal } from '../../../forms/modal.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { useAddress } from '../../../page/use-address.ts';
import { Waiting } from '../../../page/waiting.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { RouteAddress } from '../address.ts';
import { RouteMap } from '../route-map.tsx';
import type { ShownRoute } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import { NewPattern } from './new-pattern.tsx';
import styles from './pattern-part.module.css';
import { LEAST_STOPS, PatternStops } from './pattern-stops.tsx';
import { NEW_PATTERN, PatternsBar, shownPattern } from './patterns-bar.tsx';
import type { UnusedStops } from './unused-stop.tsx';
import { usePatternText } from './use-pattern-text.ts';
import { stopsOfPattern, usePatternEdits, usePatternProblem, usePatterns } from './use-patterns.ts';

/** A further pattern of a route, or a new one: its stops among those of the route, and the map. */
export function PatternPart({ route }: { route: ShownRoute }) {
  const text = usePatternText();
  const { failedTitle } = useRouteText();
  const { search, go } = useAddress<RouteAddress>();
  const answer = usePatterns(route.routeId, route.day);
  const { removeStop } = usePatternEdits(route.routeId, route.day);
  const { data } = answer;
  if (!data) return <Waiting answer={answer} failed={failedTitle} bodyPx={480} />;
  const unused = {
    used: new Set(data.items.flatMap((one) => one.stop_ids)),
    day: route.day,
    remove: removeStop,
  };
  if (search.pattern === NEW_PATTERN && route.isOpen) {
    return <NewPattern route={route} stops={data.stops} unused={unused} />;
  }
  const pattern = shownPattern(data.items, search.pattern);
  if (pattern?.id == null) {
    return (
      <EmptyState title={text.goneTitle} text={text.goneText}>
        <Button kind="primary" onClick={() => go({ pattern: undefined })}>
          {text.toDefault}
        </Button>
      </EmptyState>
    );
  }
  return (
    <OnePattern
      key={pattern.id}
      route={route}
      pattern={{ ...pattern, id: pattern.id }}
      stops={data.stops}
      unused={unused}
    />
  );
}

interface OnePatternProps {
  route: ShownRoute;
  pattern: RoutePattern & { readonly id: number };
  stops: readonly RouteStop[];
  unused: UnusedStops;
}

function OnePattern({ route, pattern, stops, unused }: OnePatternProps) {
  const text = usePatternText();
  const common = useText().common;
  const { id } = pattern;
  const reasonOf = usePatternProblem();
  const edits = usePatternEdits(route.routeId, route.day);
  const changes = useChanges<'stops', readonly number[]>(reasonOf);
  const failure = changes.states.get('stops');
  const ids = changes.shownOver(pattern.stop_ids);
  const [isShort, setShort] = useState(false);
  const setIds = (stopIds: readonly number[]) => {
    setShort(stopIds.length < LEAST_STOPS);
    if (stopIds.length < LEAST_STOPS) return;
    changes.run('stops', {
      send: () => edits.setStops(id, [...stopIds]),
      guess: () => stopIds,
      done: edits.take,
      undo: edits.invalidate,
    });
  };
  return (
    <div className={styles.part}>
      <div className={styles.column}>
        <PatternsBar route={route} />
        {route.isOpen && !pattern.default && <PatternActions route={route} pattern={pattern} />}
        {route.isOpen && <p className={styles.hint}>{text.hint}</p>}
        {pattern.own_track && <p className={styles.hint}>{text.ownTrack}</p>}
        <PatternStops
          stops={stops}
          ids={ids}
          isOpen={route.isOpen && !pattern.default}
          onIds={setIds}
          unused={unused}
        />
        {(isShort || ids.length < LEAST_STOPS) && (
          <p role="alert" className={styles.problem}>
            {text.twoStops}
          </p>
        )}
        {failure?.reason !== undefined && (
          <p role="alert" className={styles.problem}>
            {failure.reason}{' '}
            {failure.isUnanswered && (
              <NoteButton onClick={changes.retry}>{common.retry}</NoteButton>
            )}
          </p>
        )}
      </div>
      <RouteMap
        className={styles.map}
        viewKey={`${route.routeId}`}
        track={route.details.track}
        stops={stopsOfPattern({ stop_ids: [...ids] }, stops)}
      />
    </div>
  );
}

function PatternActions({ route, pattern }: Pick<OnePatternProps, 'route' | 'pattern'>) {
  const text = usePatternText();
  const common = useText().common;
  const { note } = useAddress<RouteAddress>();
  const edits = usePatternEdits(route.routeId, route.day);
  const reasonOf = usePatternProblem();
  const [busy, setBusy] = useState<'default' | 'remove'>();
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (which: 'default' | 'remove', change: () => Promise<unknown>) => {
    setBusy(which);
    setProblem(undefined);
    try {
      await change();
      note({ pattern: undefined });
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(undefined);
    }
  };
  return (
    <>
      <div className={styles.actions}>
        <Button
          isBusy={busy === 'default'}
          onClick={() => void run('default', () => edits.makeDefault(pattern.id))}
        >
          {text.makeDefault}
        </Button>
        <Button kind="danger" isBusy={busy === 'remove'} onClick={() => setLeaving(true)}>
          {text.remove}
        </Button>
      </div>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {isLeaving && (
        <Modal title={text.removeTitle(pattern.name)} onClose={() => setLeaving(false)}>
          <p>{text.removeText(formatDay(route.day))}</p>
          <div className={styles.actions}>
            <Button
              kind="danger"
              onClick={() => {
                setLeaving(false);
                void run('remove', () => edits.remove(pattern.id));
              }}
            >
              {text.remove}
            </Button>
            <Button onClick={() => setLeaving(false)}>{common.cancel}</Button>
          </div>
        </Modal>
      )}
    </>
  );
}
