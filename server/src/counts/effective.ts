// Effective counts: automatic counts, in which manual counts replace their part. A manual count adds a difference to
// the events, booked at its fragment's start. Day, laps and hours all read them here.
import { effectiveCount } from '@ridewatch/contract/fragments';
import { assignEvents, type CountableFragment } from './assign.ts';
import { type Counts, countOf, type DoorEvent, type UnitEvent } from './events.ts';

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

/** People who got on or off at a moment. */
export interface BoardingEvent {
  readonly unitId: number;
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  /** Negative where a manual count removes people. */
  readonly adult: number;
  readonly kids: number;
  /** Whether a manual count changes them; else a counter saw them. */
  readonly isManual: boolean;
}

/** The people that an event adds when there is no manual count. */
export function boardingOf({
  unitId,
  timeMs,
  direction,
  passenger,
  count,
}: Pick<UnitEvent, 'unitId' | 'timeMs' | 'direction' | 'passenger' | 'count'>): BoardingEvent {
  const [adult, kids] = passenger === 'adult' ? [count, 0] : [0, count];
  return { unitId, timeMs, direction, adult, kids, isManual: false };
}

/**
 * The effective counts of a period.
 * @param fragments those that touch the period
 * @param events in order of time, up to the end of the last fragment
 * @param toMs end of the period, excluded, ms since 1970 UTC
 */
export function effectiveEvents(
  fragments: readonly CountedFragment[],
  events: readonly UnitEvent[],
  fromMs: number,
  toMs: number,
): BoardingEvent[] {
  const isWithin = ({ timeMs }: { readonly timeMs: number }): boolean =>
    timeMs >= fromMs && timeMs < toMs;
  const differences = differencesOf(fragments, assignEvents(fragments, events)).filter(isWithin);
  return [
    ...events.filter(isWithin).map(boardingOf),
    ...differences.flatMap(({ unitId, timeMs, entered, exited }) => [
      { unitId, timeMs, direction: 'entered' as const, ...entered, isManual: true },
      { unitId, timeMs, direction: 'exited' as const, ...exited, isManual: true },
    ]),
  ].filter(({ adult, kids }) => adult !== 0 || kids !== 0);
}
