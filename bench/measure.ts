// Product and limit run interleaved, so that a noisy machine disturbs both alike; the ratio of medians counts.

/** One row of the bench. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  /** Medians over the rounds. */
  readonly product: number;
  readonly limit: number;
  readonly ratio: number;
  /** The round in which the product did worst against the limit. */
  readonly worstRatio: number;
  readonly target: string;
  readonly rounds: number;
  /** Counters that do not waver: statements, bytes. */
  readonly counters?: Readonly<Record<string, number>>;
}

export const ROUNDS = 7;

/**
 * Runs product and limit in turn, after one round of each that does not count.
 * @param product gives a rate (more is better), for instance requests a second
 * @param limit the same for the limit
 */
export async function interleave(
  row: Pick<Result, 'id' | 'what' | 'unit' | 'target' | 'counters'>,
  product: () => Promise<number>,
  limit: () => Promise<number>,
): Promise<Result> {
  await product();
  await limit();
  const rounds: { product: number; limit: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ product: await product(), limit: await limit() });
  }
  const ofProduct = median(rounds.map((round) => round.product));
  const ofLimit = median(rounds.map((round) => round.limit));
  return {
    ...row,
    product: ofProduct,
    limit: ofLimit,
    ratio: ofProduct / ofLimit,
    worstRatio: Math.min(...rounds.map((round) => round.product / round.limit)),
    rounds: ROUNDS,
  };
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const middle = ordered.length / 2;
  const upper = ordered[Math.floor(middle)] ?? Number.NaN;
  const lower = ordered[Math.ceil(middle) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}
