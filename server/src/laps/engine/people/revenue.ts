// Estimates the revenue of a lap by a price table. The counts do not say who rode from where to where. At each stop the
// estimate takes those who leave from those on board in proportion to where they boarded: the recursive method for a
// single route of Tsygalnitsky (1977), with expected shares instead of rounding or chance. The error is ± 1.96 standard
// deviations of the multinomial draw whose mean the shares are.

import { num } from '@ridewatch/contract/columns';

export interface Revenue {
  /** Rounded once, half away from zero. */
  readonly kopecks: number;
  /** Half width of the 95 % interval. */
  readonly errorKopecks: number;
  /** Passengers whose pair of stops has no price; a fraction is possible. */
  readonly noPrice: number;
  /** The pairs, by index of the stops, with their passengers; undefined if each has a price. */
  readonly unpriced?: readonly Ride[] | undefined;
}

/** Passengers who rode from one stop to another; a fraction is possible. */
export interface Ride {
  readonly from: number;
  readonly to: number;
  readonly people: number;
}

/** The normal distribution's 97.5 % point. */
const Z_95 = 1.96;
const ALMOST_NOBODY = 1e-9;

/**
 * Estimates the revenue of one lap.
 * @param boarded passengers who got on at each stop, in the order of the lap
 * @param alighted passengers who got off; never more than are on board
 * @param priceOf kopecks of a ride between two stops, by index; null for no price
 * @param placeOf key that stops with equal prices share; by default each stop has its own. Passengers who boarded under
 *   one key are computed together, so that the work depends on the route, not on the number of calls
 */
export function revenueOf(
  boarded: readonly number[],
  alighted: readonly number[],
  priceOf: (from: number, to: number) => number | null,
  placeOf: (stop: number) => number | null = (stop) => stop,
): Revenue {
  // The negative difference of a manual count is kept apart from those who boarded at the same place.
  const aboard = new Map<string, Origin>();
  let kopecks = 0;
  let variance = 0;
  let noPrice = 0;
  const unpriced: Ride[] = [];
  for (let to = 0; to < boarded.length; to += 1) {
    let people = 0;
    let sum = 0;
    let squares = 0;
    const share = leavingShare(aboard.values(), num(alighted, to));
    for (const origin of aboard.values()) {
      const riding = origin.count * share;
      origin.count -= riding;
      if (riding < ALMOST_NOBODY) continue;
      const price = priceOf(origin.from, to);
      if (price === null) {
        noPrice += riding;
        unpriced.push({ from: origin.from, to, people: riding });
      }
      people += riding;
      sum += riding * (price ?? 0);
      squares += riding * (price ?? 0) ** 2;
    }
    kopecks += sum;
    if (people > 0) variance += squares - sum ** 2 / people;
    const count = num(boarded, to);
    const key = `${placeOf(to)} ${count < 0}`;
    const known = aboard.get(key);
    if (known !== undefined) known.count += count;
    else if (count !== 0) aboard.set(key, { from: to, count });
  }
  return {
    kopecks: roundHalfAway(kopecks),
    errorKopecks: roundHalfAway(Z_95 * Math.sqrt(Math.max(0, variance))),
    noPrice,
    unpriced: unpriced.length === 0 ? undefined : unpriced,
  };
}

interface Origin {
  readonly from: number;
  count: number;
}

// The share of those on board who leave.
function leavingShare(aboard: Iterable<Origin>, leaving: number): number {
  let load = 0;
  for (const { count } of aboard) load += count;
  return load < ALMOST_NOBODY ? 0 : Math.min(1, leaving / load);
}

// Sums of fractions miss a half by about 1e-10; the tolerance keeps them from being rounded down.
function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-7);
}
