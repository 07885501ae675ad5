// The people of a fragment: those seen in its video, and the unit's events of its door from its start to its end. Of
// overlapping fragments of one door the earlier has the event, so that no person is in two fragments.

import type { DoorEvent } from './events.ts';

/** A fragment as far as the assignment of events needs it. */
export interface CountableFragment {
  readonly id: number;
  /** ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
  /** The door whose events it gets; null for a fragment that does not count. */
  readonly door: number | null;
}

/**
 * Assigns every event to a fragment.
 * @param fragments in any order
 * @param events in order of time
 * @returns the events of each fragment that has any, by its id
 */
export function assignEvents<Event extends DoorEvent>(
  fragments: readonly CountableFragment[],
  events: readonly Event[],
): Map<number, Event[]> {
  const assigned = new Map<number, Event[]>();
  for (const event of events)
    if (event.fragmentId !== undefined) add(assigned, event.fragmentId, event);
  const counting = fragments.filter(({ door }) => door !== null);
  const doors = Map.groupBy(counting, ({ door }) => door);
  for (const [door, ofDoor] of doors) {
    const waiting = ofDoor.sort((a, b) => a.startMs - b.startMs || a.id - b.id);
    const open: CountableFragment[] = [];
    let next = 0;
    for (const event of events) {
      if (event.door !== door || event.fragmentId !== undefined) continue;
      for (let one = waiting[next]; one !== undefined && one.startMs <= event.timeMs; ) {
        open.push(one);
        next += 1;
        one = waiting[next];
      }
      // An ended fragment behind an open one stays in the queue until it reaches the front.
      while (open[0] !== undefined && open[0].endMs <= event.timeMs) open.shift();
      const first = open[0];
      if (first === undefined) continue;
      add(assigned, first.id, event);
    }
  }
  return assigned;
}

function add<Event>(assigned: Map<number, Event[]>, id: number, event: Event): void {
  const list = assigned.get(id);
  if (list === undefined) assigned.set(id, [event]);
  else list.push(event);
}
