import type { Point } from '@ridewatch/contract/primitives';
import {
  deleteRouteStop,
  insertRouteStop,
  type RouteStop,
  type StopEdit,
  setTerminalStops,
  updateRouteStop,
} from '@ridewatch/contract/routes';
import { useAction } from '../../../calls/api.ts';
import { isRefused } from '../../../edits/is-refused.ts';
import { type ChangeState, useChanges } from '../../../edits/use-changes.ts';
import { orFar } from '../far-stops.ts';
import { placeBeside, type StopPlace, withStopAt } from '../stop-order.ts';
import { useEditProblem } from '../use-edit-problem.ts';
import {
  cachedStops,
  cacheStops,
  invalidateStops,
  readStops,
  type StopsAnswer,
} from '../use-route.ts';

type Stops = readonly RouteStop[];

/** The outcome of adding a stop. */
export type Added = { id: number | undefined } | { problem: string; isUnanswered: boolean };

/** Changes of a route's stops, from a day on. */
export interface StopEdits {
  /** The stops with the changes that are not stored yet. */
  readonly stops: Stops;
  readonly states: ReadonlyMap<number, ChangeState>;
  move(id: number, place: StopPlace): void;
  /** Moves a stop one place up or down; returns the new place, undefined at either end. */
  step(id: number, by: 1 | -1): StopPlace | undefined;
  /** Moves a stop on the map. */
  shift(id: number, point: Point): void;
  remove(id: number): void;
  setTerminals(first: number, last: number | null, about: number): void;
  /** Sends the changes that got no answer again. */
  retry(): void;
  /** Stores what was typed over what the user saw; rejects if it cannot. */
  save(id: number, edit: Partial<StopEdit>, seen: Partial<StopEdit>): Promise<void>;
  /** Reads a stop again; rejects if it cannot. */
  read(id: number): Promise<RouteStop>;
  add(stop: StopEdit): Promise<Added>;
}

/**
 * Changes stops. The page shows a change made by a press at once; calls are sent one after another; a refused change is
 * undone. Typed values show when they are stored, because their fields show them before.
 * @param stored the stops as the server answered last
 */
export function useStopEdits(routeId: number, day: string, stored: Stops): StopEdits {
  const reasonOf = useEditProblem();
  const changes = useChanges<number, Stops>(reasonOf);
  const options = { scope: { id: `stops-of-${routeId}` } };
  const update = useAction(updateRouteStop, options);
  const insert = useAction(insertRouteStop, options);
  const drop = useAction(deleteRouteStop, options);
  const terminals = useAction(setTerminalStops, options);

  const take = (answer: StopsAnswer) => cacheStops(routeId, day, answer);
  const run = (
    id: number,
    guess: (stops: Stops, isUnanswered: boolean) => Stops,
    send: (confirm_far: true | undefined) => Promise<StopsAnswer>,
  ): void =>
    changes.run(id, {
      send: () => orFar(send),
      guess,
      done: take,
      undo: () => invalidateStops(routeId, day),
    });
  // Read the cache: keys repeat faster than the page renders.
  const known = () => changes.shownOver(cachedStops(routeId, day));
  const knownStop = (id: number) => known().find((stop) => stop.id === id);
  const send = (
    stopId: number,
    edit: Partial<StopEdit>,
    seen: Partial<StopEdit> | undefined,
    confirm_far?: true,
  ) =>
    update.mutateAsync({
      params: { stopId },
      body: { ...edit, seen, valid_from: day, confirm_far },
    });

  // Read when it is sent: own changes before it may have renumbered the stops.
  const storedStop = (id: number) => cachedStops(routeId, day).find((stop) => stop.id === id);

  const terminal = (which: 'first' | 'last') =>
    cachedStops(routeId, day).find((stop) => stop.terminal === which)?.id ?? null;

  const move = (id: number, place: StopPlace) =>
    run(
      id,
      (stops) => withStopAt(stops, id, place),
      (confirm_far) => {
        const stop = storedStop(id);
        const seen = stop && { orderKey: stop.orderKey, routeDirection: stop.routeDirection };
        return send(id, place, seen, confirm_far);
      },
    );

  return {
    stops: changes.shownOver(stored),
    states: changes.states,
    retry: changes.retry,
    move,
    step: (id, by) => {
      const stop = knownStop(id);
      const place = stop && placeBeside(known(), stop, by);
      if (place) move(id, place);
      return place;
    },
    shift: (id, point) =>
      run(
        id,
        (stops) => stops.map((one) => (one.id === id ? { ...one, ...point } : one)),
        (confirm_far) => {
          const stop = storedStop(id);
          const seen = stop && { latitude: stop.latitude, longitude: stop.longitude };
          return send(id, point, seen, confirm_far);
        },
      ),
    remove: (id) =>
      run(
        id,
        // A removal without an answer is shown at its stop.
        (stops, isUnanswered) => (isUnanswered ? stops : stops.filter((stop) => stop.id !== id)),
        (sure) =>
          drop.mutateAsync({
            params: { stopId: id },
            query: {
              valid_from: day,
              confirm_far: sure && 'true',
              seen_name: storedStop(id)?.name,
            },
          }),
      ),
    setTerminals: (first, last, about) =>
      run(
        about,
        (stops) => stops.map((one) => ({ ...one, terminal: terminalOf(one.id, first, last) })),
        () =>
          terminals.mutateAsync({
            body: {
              firstRouteStopId: first,
              lastRouteStopId: last,
              valid_from: day,
              seen: { firstRouteStopId: terminal('first'), lastRouteStopId: terminal('last') },
            },
          }),
      ),
    save: async (id, edit, seen) =>
      take(await orFar((confirm_far) => send(id, edit, seen, confirm_far))),
    read: async (id) => {
      const stop = (await readStops(routeId, day)).find((one) => one.id === id);
      if (!stop) throw new Error('The stop was removed.');
      return stop;
    },
    add: async (stop) => {
      const before = new Set(known().map(({ id }) => id));
      try {
        const answer = await orFar((confirm_far) =>
          insert.mutateAsync({
            params: { groupId: routeId },
            body: { ...stop, valid_from: day, confirm_far },
          }),
        );
        take(answer);
        const id = answer.items.find((one) => !before.has(one.id))?.id;
        if (id !== undefined) changes.mark(id, { state: 'saved' });
        return { id };
      } catch (error) {
        return { problem: reasonOf(error), isUnanswered: !isRefused(error) };
      }
    },
  };
}

function terminalOf(id: number, first: number, last: number | null): RouteStop['terminal'] {
  if (id === first) return 'first';
  return id === last ? 'last' : null;
}
