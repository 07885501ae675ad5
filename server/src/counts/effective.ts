// Effective counts: automatic counts, in which manual counts replace their part. A manual count adds a difference to
// the events, booked at its fragment's start. Day, laps and hours all read them here.
import { effectiveCount } from '@ridewatch/contract/fragments';
import { assignEvents, type CountableFragment } from './assign.ts';
import { type Counts, countOf, type DoorEvent } from './events.ts';

/** Manual counts; null where the automatic count stands. */
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

/** The change by manual counts at a moment; negative where they remove people. */
export interface Difference extends Counts {
  readonly unitId: number;
  /** ms since 1970 UTC */
  readonly timeMs: number;
}

/** Whether a fragment has a manual count. */
export function hasManualCount(fragment: ManualCounts): boolean {
  const { entered, exited, enteredKids, exitedKids } = fragment;
  return [entered, exited, enteredKids, exitedKids].some((count) => count !== null);
}

/**
 * Lists the differences between manual and automatic counts, without those that are 0.
 * @param assigned the events of each fragment, from `assignEvents`
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

/** People who got on or off at a moment; negative where a manual count removes people. */
export interface BoardingEvent {
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  readonly adult: number;
  readonly kids: number;
}

/** The people that an event adds when there is no manual count. */
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
 * The effective counts of a period.
 * @param fragments those that touch the period
 * @param events in order of time, up to the end of the last fragment
 * @param toMs end of the period, excluded, ms since 1970 UTC
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
