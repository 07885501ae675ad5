// Lets some of much work run at the same time, limited by its number and its weight together.

/** Runs work in its turn, or throws when that came too late. */
export type WeightedTurns = <T>(weight: number, work: () => Promise<T>) => Promise<T>;

/** The limits of turns. */
export interface TurnLimits {
  /** Work at the same time. */
  readonly most: number;
  /** Weight of the work at the same time. Work that weighs more has a turn alone. */
  readonly mostWeight: number;
  /** Longest wait, ms; by default nobody's turn comes too late. */
  readonly waitMs?: number;
  /** The error of a turn that came too late. */
  readonly late?: () => Error;
}

/** Makes turns in the order of arrival. Those who wait hold nothing that others need. */
export function createWeightedTurns({
  most,
  mostWeight,
  waitMs = Number.POSITIVE_INFINITY,
  late = () => new Error('a turn came too late'),
}: TurnLimits): WeightedTurns {
  const waiting: { readonly weight: number; readonly begin: () => void }[] = [];
  let [running, taken] = [0, 0];
  const fits = (weight: number): boolean =>
    running === 0 || (running < most && taken + weight <= mostWeight);
  const take = (weight: number): void => {
    running += 1;
    taken += weight;
  };
  const leave = (weight: number): void => {
    running -= 1;
    taken -= weight;
    for (let [next] = waiting; next !== undefined && fits(next.weight); [next] = waiting) {
      waiting.shift();
      take(next.weight);
      next.begin();
    }
  };
  return async (weight, work) => {
    const arrivedMs = performance.now();
    // Light work that went ahead would keep heavy work waiting for ever.
    if (waiting.length === 0 && fits(weight)) take(weight);
    else await new Promise<void>((begin) => waiting.push({ weight, begin }));
    try {
      if (performance.now() - arrivedMs > waitMs) throw late();
      return await work();
    } finally {
      leave(weight);
    }
  };
}

/**
 * Turns of light and of heavy work, so that much heavy work never keeps light work waiting.
 * @param mostLight weight of light work
 */
export function createLanes(
  mostLight: number,
  light: TurnLimits,
  heavy: TurnLimits,
): WeightedTurns {
  const [lightTurns, heavyTurns] = [createWeightedTurns(light), createWeightedTurns(heavy)];
  return (weight, work) => (weight <= mostLight ? lightTurns : heavyTurns)(weight, work);
}
