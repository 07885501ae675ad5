// The start of the reverse direction in a list of stops of both directions.
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { type Message, message } from './messages.ts';
import { FileRefusal, type FileStop } from './route-file.ts';

/** A route with fewer stops has no way back: there, the far terminal, and back. */
const FEWEST_OF_LOOP = 3;
/** The last stop of a loop lies so near to the first, metres or share of the way to the farthest stop. */
const CLOSED = { m: 500, share: 0.25 };

/** Stops with their directions, in the file's order. */
export interface TurnedStops {
  readonly stops: readonly FileStop[];
  readonly notes: readonly Message[];
  readonly turn: RouteProposal['turn'];
}

/**
 * Gives stops without directions theirs. A far terminal that is listed twice in a row tells where the way back begins,
 * unless the user says otherwise; of another loop the user says it. The stop of the turn is then the last of one direction and the first of the other.
 * @param wanted index of the stop where the user turns the route; null where he has not
 * @throws FileRefusal when the user turns where that is not possible
 */
export function turnStops(stops: readonly FileStop[], wanted: number | null): TurnedStops {
  if (stops.some(({ direction }) => direction !== null)) return { stops, notes: [], turn: null };
  const twice = turnOf(stops);
  if (twice > 0 && (wanted === null || wanted === twice - 1)) return told(stops, twice);
  if (twice === 0 && !isLoop(stops)) return { stops, notes: [], turn: null };
  const turn = {
    stops: stops.map(({ name }) => name),
    suggested: suggestedOf(stops, twice),
    chosen: wanted,
    told: twice > 0 ? twice - 1 : null,
  };
  if (wanted === null) {
    const notes = [
      message('allForward', stops[turn.suggested]?.name ?? String(turn.suggested + 1)),
    ];
    return { stops, notes, turn };
  }
  const far = stops[wanted];
  if (far === undefined || wanted === 0 || wanted === stops.length - 1) {
    throw new FileRefusal(message('noSuchTurn'), 'turn');
  }
  const both = [...stops.slice(0, wanted), far, far, ...stops.slice(wanted + 1)];
  return { stops: split(both, wanted + 1), notes: [noteOf(both, wanted + 1)], turn };
}

function told(stops: readonly FileStop[], twice: number): TurnedStops {
  const [suggested, chosen] = [suggestedOf(stops, twice), twice - 1];
  const [here, far] = [stops[chosen]?.name, stops[suggested]?.name];
  const notes = [
    noteOf(stops, twice),
    ...(far && here && far !== here ? [message('toldTurn', here, far)] : []),
  ];
  const names = stops.map(({ name }) => name);
  return {
    stops: split(stops, twice),
    notes,
    turn: { stops: names, suggested, chosen, told: chosen },
  };
}

// The farthest stop; of the two that are listed for one place, the first.
function suggestedOf(stops: readonly FileStop[], twice: number): number {
  const far = farthestOf(stops);
  return twice > 0 && far === twice ? twice - 1 : far;
}

const split = (stops: readonly FileStop[], turn: number): FileStop[] =>
  stops.map((stop, index) => ({ ...stop, direction: index >= turn ? 'REVERSE' : 'FORWARD' }));

const noteOf = (stops: readonly FileStop[], turn: number): Message =>
  message('turn', stops[turn]?.name ?? '');

function isLoop(stops: readonly FileStop[]): boolean {
  const [first, last, far] = [stops[0], stops.at(-1), stops[farthestOf(stops)]];
  if (stops.length < FEWEST_OF_LOOP || !first || !last || !far) return false;
  if (comesBack(stops)) return true;
  const farM = distanceM(first, far);
  // Stops at one place have no farthest one.
  return farM > 0 && distanceM(first, last) <= Math.min(CLOSED.m, CLOSED.share * farM);
}

// Whether most stops after the farthest one have names from before it. The last one may be far from the first: some
// files list both terminals once.
function comesBack(stops: readonly FileStop[]): boolean {
  const far = farthestOf(stops);
  const there = new Set(stops.slice(0, far).map(({ name }) => name));
  const back = stops.slice(far + 1);
  const shared = back.filter(({ name }) => name !== null && there.has(name)).length;
  return 2 * shared > back.length;
}

// The stop with the largest distance from the first.
function farthestOf(stops: readonly FileStop[]): number {
  const [first] = stops;
  if (first === undefined) return 0;
  const distances = stops.map((stop) => distanceM(first, stop));
  return distances.reduce((far, m, index) => (m > (distances[far] ?? 0) ? index : far), 0);
}

/**
 * Finds where one name comes twice in a row, and most names before it also come after it.
 * @returns the index of the second; 0 for a list of one direction
 */
function turnOf(stops: readonly FileStop[]): number {
  let turn = 0;
  let most = 0;
  for (const [index, { name }] of stops.entries()) {
    if (index === 0 || name === null || name !== stops[index - 1]?.name) continue;
    const [there, back] = [stops.slice(0, index), stops.slice(index)].map(
      (half) => new Set(half.map((stop) => stop.name)),
    ) as [Set<string>, Set<string>];
    const shared = [...there].filter((one) => back.has(one)).length;
    if (shared > most && 2 * shared > Math.max(there.size, back.size))
      [turn, most] = [index, shared];
  }
  return turn;
}
