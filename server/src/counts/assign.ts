// A fragment's people: the events of its door between its start and its end. Of overlapping fragments of one door the
// earlier has the event, so that no person is in two fragments.

/** People, children apart. */
export interface Counts {
  readonly entered: { adult: number; kids: number };
  readonly exited: { adult: number; kids: number };
}

export interface CountableFragment {
  readonly id: number;
  /** ms since 1970 UTC; the end no longer belongs to it. */
  readonly startMs: number;
  readonly endMs: number;
  /** The door whose events it has; null for fragments that do not count. */
  readonly door: number | null;
}

export interface DoorEvent {
  readonly timeMs: number;
  readonly door: number;
  readonly direction: 'entered' | 'exited';
  readonly passenger: 'adult' | 'child';
  readonly count: number;
}

/** Nobody yet. */
export function noCounts(): Counts {
  return { entered: { adult: 0, kids: 0 }, exited: { adult: 0, kids: 0 } };
}

/** Adds an event to counts. */
export function addEvent(counts: Counts, event: DoorEvent): void {
  counts[event.direction][event.passenger === 'adult' ? 'adult' : 'kids'] += event.count;
}

/**
 * Gives every event to its fragment.
 * @param fragments in any order
 * @param events in order of time
 * @returns the events of each fragment that has any, by its id
 */
export function assignEvents(
  fragments: readonly CountableFragment[],
  events: readonly DoorEvent[],
): Map<number, DoorEvent[]> {
  const assigned = new Map<number, DoorEvent[]>();
  const counting = fragments.filter(({ door }) => door !== null);
  const doors = Map.groupBy(counting, ({ door }) => door);
  for (const [door, ofDoor] of doors) {
    const waiting = ofDoor.sort((a, b) => a.startMs - b.startMs || a.id - b.id);
    const open: CountableFragment[] = [];
    let next = 0;
    for (const event of events) {
      if (event.door !== door) continue;
      for (let one = waiting[next]; one !== undefined && one.startMs <= event.timeMs; ) {
        open.push(one);
        next += 1;
        one = waiting[next];
      }
      // Ended ones behind an open one wait there until they come to the front.
      while (open[0] !== undefined && open[0].endMs <= event.timeMs) open.shift();
      const first = open[0];
      if (first === undefined) continue;
      const list = assigned.get(first.id);
      if (list === undefined) assigned.set(first.id, [event]);
      else list.push(event);
    }
  }
  return assigned;
}

/** What somebody counted by hand; null where they left the automatic count. */
export interface ManualCounts {
  readonly entered: number | null;
  readonly exited: number | null;
  readonly enteredKids: number | null;
  readonly exitedKids: number | null;
}

/** What a manual count adds to the automatic one. */
export function differenceOf(manual: ManualCounts, automatic: Counts): Counts {
  const of = (typed: number | null, counted: number): number =>
    typed === null ? 0 : typed - counted;
  return {
    entered: {
      adult: of(manual.entered, automatic.entered.adult),
      kids: of(manual.enteredKids, automatic.entered.kids),
    },
    exited: {
      adult: of(manual.exited, automatic.exited.adult),
      kids: of(manual.exitedKids, automatic.exited.kids),
    },
  };
}
