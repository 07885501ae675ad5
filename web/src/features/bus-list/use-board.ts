import type { Customer } from '@ridewatch/contract/auth';
import { BOARD_KEPT_MS, BOARD_REFRESH_MS, type Board, listBoard } from '@ridewatch/contract/board';
import type { Bus } from '@ridewatch/contract/buses';
import { startTransition, useEffect, useRef, useState } from 'react';
import { inTasks } from '../../buses/in-tasks.ts';
import { type CustomerBuses, headingOf } from '../../buses/order.ts';
import { keyOf, queryClient, useEndpoint } from '../../calls/api.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import type { FactsOf } from './arrangement.ts';
import { type BusFacts, factsOf } from './bus-facts.ts';
import { differentDaysOf } from './local-day.ts';

/** A board that is read again sooner is the server's cached one. */
const STALE_MS = BOARD_KEPT_MS;
/** The facts that are known of the buses at a moment. */
interface Known {
  readonly facts: FactsOf;
  /** When the figures were read; undefined without figures. */
  readonly madeAt: string | undefined;
}

const NOTHING: Known = {
  facts: (bus) => factsOf(bus, undefined, undefined, false),
  madeAt: undefined,
};

/**
 * Reads what changes by the minute of the listed buses: after the list is painted, then every 40 s while the page is
 * visible. The parsing of a large board would delay a key or a frame, so it is not read while the user is busy.
 * @param sections the listed buses; undefined until the list is shown
 * @param customers those whose names the user knows
 * @param isBusy whether the user types, or scrolls fast
 * @param canReview whether the user reviews fragments
 */
export function useBoard(
  sections: readonly CustomerBuses[] | undefined,
  customers: readonly Customer[] | undefined,
  isBusy: boolean,
  canReview: boolean,
) {
  // A user who opens the list to search types soon: to parse the figures of thousands of buses would delay the first
  // key.
  const isPainted = useAfterPaint(sections !== undefined);
  const answer = useEndpoint(
    listBoard,
    {},
    { enabled: isPainted && !isBusy, refetchInterval: BOARD_REFRESH_MS, staleTime: STALE_MS },
  );
  const { data, isError, isFetching, refetch } = answer;
  useEffect(() => {
    if (isBusy) void queryClient.cancelQueries({ queryKey: keyOf(listBoard, {}) });
  }, [isBusy]);
  const [known, setKnown] = useState(NOTHING);
  const used = useRef<{ data: Board; sections: readonly CustomerBuses[]; canReview: boolean }>(
    undefined,
  );
  useEffect(() => {
    if (!(data && sections) || isBusy) return;
    const last = used.current;
    const isSame =
      last?.data === data && last.sections === sections && last.canReview === canReview;
    if (isSame) return;
    const buses = sections.flatMap(({ routes }) => routes.flatMap((route) => route.buses));
    return prepareFacts(buses, customers ?? [], data, canReview, (next) => {
      used.current = { data, sections, canReview };
      startTransition(() => setKnown(next));
    });
  }, [data, sections, customers, canReview, isBusy]);
  return { ...known, isError, isFetching, refetch };
}

// Works out the facts in small tasks: those of thousands of buses in one would delay a key. Returns what stops it.
function prepareFacts(
  buses: readonly Bus[],
  customers: readonly Customer[],
  { items, made_at: madeAt }: Board,
  canReview: boolean,
  done: (known: Known) => void,
): () => void {
  const figures = new Map(items.map((item) => [item.id, item]));
  const dayOf = differentDaysOf(buses, madeAt);
  const names = new Map(customers.map((one) => [one.id, headingOf(one)]));
  const nextOf = ({ clients }: Bus) => clients.flatMap((id) => names.get(id) ?? []).join(', ');
  const known = new WeakMap<Bus, BusFacts>();
  const facts = (bus: Bus): BusFacts => {
    const found = known.get(bus);
    if (found !== undefined) return found;
    const beside = { day: dayOf(bus), next: (bus.passes && nextOf(bus)) || undefined };
    const made = factsOf(bus, figures.get(bus.id), madeAt, canReview, beside);
    known.set(bus, made);
    return made;
  };
  const work = (some: readonly Bus[]): void => {
    for (const bus of some) facts(bus);
  };
  return inTasks(buses, work, () => done({ facts, madeAt }));
}
