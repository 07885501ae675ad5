// What the rides of a lap are worth by a price table. Nobody counts who rode from where to where, so it is estimated:
// at each stop those who leave are taken from those on board in proportion to where they boarded, the recursive
// method for a single route of Tsygalnitsky (1977), as expected shares without rounding or chance. The error is that
// of the multinomial draw which the shares are the mean of, ± 1.96 standard deviations.

import { num } from '@ridewatch/contract/columns';

export interface Revenue {
  /** Rounded once, half away from zero. */
  readonly kopecks: number;
  /** ± of it, at 95 %. */
  readonly errorKopecks: number;
  /** People whose pair of stops has no price, as a fraction. */
  readonly noPrice: number;
}

/** The normal distribution's 97.5 % point. */
const Z_95 = 1.96;
const ALMOST_NOBODY = 1e-9;

/**
 * The revenue of one lap.
 * @param boarded people who got on at each stop, in the order of the lap
 * @param alighted people who got off; never more than are on board
 * @param priceOf kopecks of a ride between two stops by their index; null where there is no price
 * @param placeOf what stops of the same prices have in common; each is its own unless said. Those who boarded at any
 *   of them are reckoned together, so that the work follows from the route, not from how often people were counted
 */
export function revenueOf(
  boarded: readonly number[],
  alighted: readonly number[],
  priceOf: (from: number, to: number) => number | null,
  placeOf: (stop: number) => number | null = (stop) => stop,
): Revenue {
  // What a count by hand takes away is not set off against those who boarded at the same place.
  const aboard = new Map<string, Origin>();
  let kopecks = 0;
  let variance = 0;
  let noPrice = 0;
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
      if (price === null) noPrice += riding;
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

// Sums of fractions miss a half by 1e-10 or so: they are not to be rounded down for it.
function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-7);
}
