import type { Passenger } from './demand.ts';
import type { Chance } from './random.ts';

/** One passenger through a door. */
export interface DoorCrossing {
  atMs: number;
  door: number;
  direction: 'entered' | 'exited';
  passenger: 'adult' | 'child';
}

/** The doors of a bus open and close together. */
export interface Opening {
  openMs: number;
  closeMs: number;
  crossings: readonly DoorCrossing[];
}

/** Shares of passengers by door, alighting and boarding, by the number of doors. */
const ALIGHT_BY: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [0.2, 0.8],
  3: [0.1, 0.62, 0.28],
};
const BOARD_BY: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [0.88, 0.12],
  3: [0.8, 0.14, 0.06],
};
const OPENING_MS = 1600;
const CLOSING_MS = 2200;
const SHORTEST_OPEN_MS = 5000;
/** People side by side in a door. */
const LANES = 2;

/**
 * Simulates people who get off and then on, one after the other in each lane of a door.
 * @param openMs when the doors begin to open
 */
export function openDoors(
  chance: Chance,
  openMs: number,
  doors: number,
  people: { alighting: readonly Passenger[]; boarding: readonly Passenger[] },
): Opening {
  const freeMs = Array.from({ length: doors * LANES }, () => openMs + OPENING_MS);
  const crossings: DoorCrossing[] = [];
  // A crowd moves faster.
  const alightPaceMs = people.alighting.length > 5 ? 850 : 1150;
  const pass = (who: Passenger, direction: DoorCrossing['direction']): void => {
    const shares = (direction === 'exited' ? ALIGHT_BY : BOARD_BY)[doors] ?? [1];
    const index = chance.choose(shares);
    // People leave in both lanes; they enter one by one, because they pay first.
    const lane = direction === 'exited' ? Math.floor(chance.between(0, LANES)) : 0;
    const free = index * LANES + lane;
    const atMs = Math.round((freeMs[free] ?? openMs) + chance.between(100, 700));
    const paceMs = direction === 'exited' ? alightPaceMs : 1700;
    freeMs[free] = atMs + paceMs * chance.between(0.8, 1.35) + (who.kind === 'child' ? 150 : 0);
    crossings.push({ atMs, door: index + 1, direction, passenger: who.kind });
  };
  for (const who of people.alighting) pass(who, 'exited');
  for (let door = 0; door < doors; door++) {
    const lanes = freeMs.slice(door * LANES, (door + 1) * LANES);
    freeMs.fill(Math.max(...lanes), door * LANES, (door + 1) * LANES);
  }
  for (const who of people.boarding) pass(who, 'entered');
  crossings.sort((a, b) => a.atMs - b.atMs || a.door - b.door);
  const lastMs = crossings.at(-1)?.atMs ?? openMs;
  const closeMs = Math.max(openMs + SHORTEST_OPEN_MS, lastMs + CLOSING_MS);
  return { openMs, closeMs: Math.round(closeMs), crossings };
}
