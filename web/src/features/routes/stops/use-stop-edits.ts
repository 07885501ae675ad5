import {
  deleteRouteStop,
  insertRouteStop,
  type RouteStop,
  type StopEdit,
  setTerminalStops,
  updateRouteStop,
} from '@ridewatch/contract/routes';
import { useAction } from '../../../api.ts';
import { type ChangeState, useChanges } from '../../../edits/use-changes.ts';
import { orFar } from '../far-stops.ts';
import { problemText } from '../problem.ts';
import { placeBeside, type StopPlace, withStopAt } from '../stop-order.ts';
import { cachedStops, cacheStops, invalidateStops, type StopsAnswer } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';

/** Changes of a route's stops, from a day on. Each resolves to the reason of a refusal, or to undefined. */
export interface StopEdits {
  readonly states: ReadonlyMap<number, ChangeState>;
  move(id: number, place: StopPlace): Promise<string | undefined>;
  /** Moves a stop one place up or down; returns the new place, undefined at either end. */
  step(id: number, by: 1 | -1): StopPlace | undefined;
  change(id: number, edit: Partial<StopEdit>): Promise<string | undefined>;
  remove(id: number): Promise<string | undefined>;
  setTerminals(first: number, last: number | null, about: number): Promise<string | undefined>;
  add(stop: StopEdit): Promise<{ problem: string } | { id: number | undefined }>;
}

/** Changes stops. The page shows each change at once; calls are sent one after another; a refused change is undone. */
export function useStopEdits(routeId: number, day: string): StopEdits {
  const text = useRouteText();
  const { states, run: runChange, mark } = useChanges<number>((error) => problemText(error, text));
  const options = { handled: true, scope: { id: `stops-of-${routeId}` } };
  const update = useAction(updateRouteStop, options);
  const insert = useAction(insertRouteStop, options);
  const drop = useAction(deleteRouteStop, options);
  const terminals = useAction(setTerminalStops, options);

  const run = (
    id: number,
    guess: readonly RouteStop[],
    send: (confirm_far: true | undefined) => Promise<StopsAnswer>,
  ): Promise<string | undefined> => {
    cacheStops(routeId, day, guess);
    return runChange(id, {
      send: () => orFar(send),
      // Later changes are shown already, so only the last answer replaces the stops: it contains them all.
      done: (answer, isLast) => {
        if (isLast) cacheStops(routeId, day, answer.items, answer.near_stops);
      },
      undo: () => invalidateStops(routeId, day),
    });
  };
  const known = () => cachedStops(routeId, day);
  const withEdit = (id: number, edit: Partial<RouteStop>) =>
    known().map((stop) => (stop.id === id ? { ...stop, ...edit } : stop));

  const send = (stopId: number, edit: Partial<StopEdit>, confirm_far?: true) =>
    update.mutateAsync({ params: { stopId }, body: { ...edit, valid_from: day, confirm_far } });

  const move = (id: number, place: StopPlace) =>
    run(id, withStopAt(known(), id, place), (confirm_far) => send(id, place, confirm_far));

  return {
    states,
    move,
    // Read the cache: keys repeat faster than the page renders.
    step: (id, by) => {
      const stop = known().find((one) => one.id === id);
      const place = stop && placeBeside(known(), stop, by);
      if (place) void move(id, place);
      return place;
    },
    change: (id, edit) => run(id, withEdit(id, edit), (confirm_far) => send(id, edit, confirm_far)),
    remove: (id) =>
      run(
        id,
        known().filter((stop) => stop.id !== id),
        (sure) =>
          drop.mutateAsync({
            params: { stopId: id },
            query: { valid_from: day, confirm_far: sure && 'true' },
          }),
      ),
    setTerminals: (first, last, about) =>
      run(
        about,
        known().map((stop) => ({ ...stop, terminal: terminalOf(stop.id, first, last) })),
        () =>
          terminals.mutateAsync({
            body: { firstRouteStopId: first, lastRouteStopId: last, valid_from: day },
          }),
      ),
    add: async (stop) => {
      const before = new Set(known().map(({ id }) => id));
      try {
        const { items, near_stops } = await orFar((confirm_far) =>
          insert.mutateAsync({
            params: { groupId: routeId },
            body: { ...stop, valid_from: day, confirm_far },
          }),
        );
        cacheStops(routeId, day, items, near_stops);
        const id = items.find((one) => !before.has(one.id))?.id;
        if (id !== undefined) mark(id, { state: 'saved' });
        return { id };
      } catch (error) {
        return { problem: problemText(error, text) };
      }
    },
  };
}

function terminalOf(id: number, first: number, last: number | null): RouteStop['terminal'] {
  if (id === first) return 'first';
  return id === last ? 'last' : null;
}
