// What the rides of a lap are worth by a price table. Nobody counts who rode from where to where, so it is estimated:
// at each stop those who leave are taken from those on board in proportion to where they boarded, the recursive
// method for a single route of Tsygalnitsky (1977), as expected shares without rounding or chance. The error is that
// of the multinomial draw which the shares are the mean of, ± 1.96 standard deviations.

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
 * Who rode from where to where, as expected numbers.
 * @param boarded people who got on at each stop, in the order of the lap
 * @param alighted people who got off; never more than are on board
 * @returns rides[from][to]
 */
export function originsAndDestinations(
  boarded: readonly number[],
  alighted: readonly number[],
): number[][] {
  const aboard: number[] = boarded.map(() => 0);
  const rides = boarded.map(() => boarded.map(() => 0));
  for (let to = 0; to < boarded.length; to += 1) {
    const load = aboard.reduce((sum, count) => sum + count, 0);
    const share = load < ALMOST_NOBODY ? 0 : Math.min(1, (alighted[to] as number) / load);
    for (let from = 0; from < to; from += 1) {
      const leaving = (aboard[from] as number) * share;
      (rides[from] as number[])[to] = leaving;
      aboard[from] = (aboard[from] as number) - leaving;
    }
    aboard[to] = (aboard[to] as number) + (boarded[to] as number);
  }
  return rides;
}

/**
 * The revenue of one lap.
 * @param priceOf kopecks of a ride between two stops by their index; null where there is no price
 */
export function revenueOf(
  boarded: readonly number[],
  alighted: readonly number[],
  priceOf: (from: number, to: number) => number | null,
): Revenue {
  const rides = originsAndDestinations(boarded, alighted);
  let kopecks = 0;
  let variance = 0;
  let noPrice = 0;
  for (let to = 0; to < boarded.length; to += 1) {
    let people = 0;
    let sum = 0;
    let squares = 0;
    for (let from = 0; from < to; from += 1) {
      const riding = (rides[from] as number[])[to] as number;
      if (riding < ALMOST_NOBODY) continue;
      const price = priceOf(from, to);
      if (price === null) noPrice += riding;
      people += riding;
      sum += riding * (price ?? 0);
      squares += riding * (price ?? 0) ** 2;
    }
    kopecks += sum;
    if (people > 0) variance += squares - sum ** 2 / people;
  }
  return {
    kopecks: roundHalfAway(kopecks),
    errorKopecks: roundHalfAway(Z_95 * Math.sqrt(Math.max(0, variance))),
    noPrice,
  };
}

// Sums of fractions miss a half by 1e-10 or so: they are not to be rounded down for it.
function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-7);
}
