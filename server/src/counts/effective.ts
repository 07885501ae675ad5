// Effective counts: what a counter saw, with what somebody counted by hand in its place. A manual count adds a difference
// to the events, booked where its fragment starts. Day, laps and hours all take them from here.
import { effectiveCount } from '@ridewatch/contract/fragments';
import { assignEvents, type CountableFragment } from './assign.ts';
import { type Counts, countOf, type DoorEvent } from './events.ts';

/** What somebody counted by hand; null where they left the automatic count. */
export interface ManualCounts {
  readonly entered: number | null;
  readonly exited: number | null;
  readonly enteredKids: number | null;
  readonly exitedKids: number | null;
}

/** A fragment with its manual counts. */
export interface CountedFragment extends CountableFragment, ManualCounts {
  readonly unitId: number;
}

/** What manual counts change at a moment: less than nobody where they take people away. */
export interface Difference extends Counts {
  readonly unitId: number;
  /** ms since 1970 UTC */
  readonly timeMs: number;
}

/** Whether somebody counted a fragment by hand. */
export function hasManualCount(fragment: ManualCounts): boolean {
  const { entered, exited, enteredKids, exitedKids } = fragment;
  return [entered, exited, enteredKids, exitedKids].some((count) => count !== null);
}

/**
 * Lists what manual counts add to the automatic ones. A fragment whose manual count equals the automatic one is left out.
 * @param assigned the events of each fragment, as `assignEvents` gives them
 */
export function differencesOf(
  fragments: readonly CountedFragment[],
  assigned: ReadonlyMap<number, readonly DoorEvent[]>,
): Difference[] {
  return fragments.filter(hasManualCount).flatMap((fragment): Difference[] => {
    const automatic = countOf(assigned.get(fragment.id) ?? []);
    const side = (direction: 'entered' | 'exited') => {
      const manual = { adult: fragment[direction], kids: fragment[`${direction}Kids`] };
      const effective = effectiveCount(automatic[direction], manual);
      return {
        adult: effective.adult - automatic[direction].adult,
        kids: effective.kids - automatic[direction].kids,
      };
    };
    const [entered, exited] = [side('entered'), side('exited')];
    const isAny = [entered, exited].some(({ adult, kids }) => adult !== 0 || kids !== 0);
    const { unitId, startMs: timeMs } = fragment;
    return isAny ? [{ unitId, timeMs, entered, exited }] : [];
  });
}

/** How many got on or off at a moment; less than nobody where a manual count takes people away. */
export interface BoardingEvent {
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  readonly adult: number;
  readonly kids: number;
}

/** What an event adds where nobody has counted by hand. */
export function boardingOf({
  timeMs,
  direction,
  passenger,
  count,
}: Pick<DoorEvent, 'timeMs' | 'direction' | 'passenger' | 'count'>): BoardingEvent {
  const isAdult = passenger === 'adult';
  return { timeMs, direction, adult: isAdult ? count : 0, kids: isAdult ? 0 : count };
}

/**
 * The effective counts of a stretch of time.
 * @param fragments those that touch the stretch
 * @param events in order of time; those after the stretch too, as far as its fragments run
 * @param toMs first moment after the stretch, ms since 1970 UTC
 */
export function effectiveEvents(
  fragments: readonly CountedFragment[],
  events: readonly DoorEvent[],
  fromMs: number,
  toMs: number,
): BoardingEvent[] {
  const isWithin = ({ timeMs }: { readonly timeMs: number }): boolean =>
    timeMs >= fromMs && timeMs < toMs;
  const differences = differencesOf(fragments, assignEvents(fragments, events)).filter(isWithin);
  return [
    ...events.filter(isWithin).map(boardingOf),
    ...differences.flatMap(({ timeMs, entered, exited }) => [
      { timeMs, direction: 'entered' as const, ...entered },
      { timeMs, direction: 'exited' as const, ...exited },
    ]),
  ].filter(({ adult, kids }) => adult !== 0 || kids !== 0);
}
