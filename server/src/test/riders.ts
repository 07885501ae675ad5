interface Rider {
  readonly from: number;
}

/** A lap with what its riders paid. */
export interface RiddenLap {
  /** By stop, in the order of the lap. */
  readonly boarded: readonly number[];
  readonly alighted: readonly number[];
  readonly paidKopecks: number;
}

/**
 * A lap on which everybody on board is equally likely to get off at a stop, wherever they got on. At each stop a share
 * of them leaves; at the last one all.
 * @param random uniform numbers in [0, 1)
 * @param priceOf kopecks
 */
export function rideInProportion(
  random: () => number,
  stops: number,
  priceOf: (from: number, to: number) => number,
): RiddenLap {
  const boarded: number[] = [];
  const alighted: number[] = [];
  let aboard: Rider[] = [];
  let paidKopecks = 0;
  for (let stop = 0; stop < stops; stop += 1) {
    const isLast = stop === stops - 1;
    const share = isLast ? 1 : random() * 0.4;
    const stay: Rider[] = [];
    for (const rider of aboard) {
      if (random() < share) paidKopecks += priceOf(rider.from, stop);
      else stay.push(rider);
    }
    alighted.push(aboard.length - stay.length);
    const entering = isLast ? 0 : Math.floor(random() * 9);
    boarded.push(entering);
    aboard = [...stay, ...Array.from({ length: entering }, () => ({ from: stop }))];
  }
  return { boarded, alighted, paidKopecks };
}

/**
 * The price of a ride by its length in stops, kopecks. It is no difference of two values of its stops: with such prices
 * the counts alone would say what everybody paid.
 */
export function priceByLength(from: number, to: number): number {
  const stops = to - from;
  if (stops <= 2) return 40_00;
  return stops <= 6 ? 52_00 : 85_00;
}
