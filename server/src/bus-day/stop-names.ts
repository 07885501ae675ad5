import type { DoorEvent } from '../counts/events.ts';
import { SLACK_MS } from '../laps/engine/people/attribute.ts';
import type { StopVisit } from '../laps/stops-and-loads.ts';

interface Span {
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The stop of each fragment: the visit in which most of its people passed; among equals, and without people, the one
 * that lasts longest within the fragment.
 * @param fragments by start
 * @param visits by arrival
 * @param eventsOf the events of each fragment
 * @returns names by the id of the fragment, without those that no visit touches
 */
export function stopNames(
  fragments: readonly Span[],
  visits: readonly StopVisit[],
  eventsOf: ReadonlyMap<number, readonly DoorEvent[]>,
): Map<number, string> {
  const names = new Map<number, string>();
  let first = 0;
  for (const fragment of fragments) {
    // Later fragments begin later, so these visits touch none of them.
    while (first < visits.length && endOf(visits[first]) < fragment.startMs) first += 1;
    const events = eventsOf.get(fragment.id) ?? [];
    let best = { people: -1, sharedMs: 0 };
    for (let n = first; n < visits.length; n += 1) {
      const visit = visits[n];
      if (visit === undefined || visit.arrivalMs - SLACK_MS > fragment.endMs) break;
      if (endOf(visit) < fragment.startMs) continue;
      const people = peopleDuring(visit, events);
      const sharedMs =
        Math.min(visit.departureMs, fragment.endMs) - Math.max(visit.arrivalMs, fragment.startMs);
      if (people < best.people || (people === best.people && sharedMs <= best.sharedMs)) continue;
      best = { people, sharedMs };
      names.set(fragment.id, visit.name);
    }
  }
  return names;
}

const endOf = (visit: StopVisit | undefined): number => (visit?.departureMs ?? 0) + SLACK_MS;

function peopleDuring(visit: StopVisit, events: readonly DoorEvent[]): number {
  let people = 0;
  for (const { timeMs, count } of events) {
    if (timeMs >= visit.arrivalMs - SLACK_MS && timeMs <= endOf(visit)) people += count;
  }
  return people;
}
