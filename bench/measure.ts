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
  /** The ratio that is wanted: `≥ 0.5` or `≤ 2`. */
  readonly target: string;
  readonly rounds: number;
  /** Beside the ratio: what does not waver (statements, bytes), and what explains it. */
  readonly counters?: Readonly<Record<string, number>>;
}

/** A row before it is measured. */
export type Row = Pick<Result, 'id' | 'what' | 'unit' | 'target' | 'counters'>;

/** How a run is asked for. */
export interface Extent {
  /** How long a row that runs for a stretch of time does; each has its own short one. */
  readonly minutes: number | undefined;
  /** Of rows that differ in it, those alone whose fleet has so many units. */
  readonly units: number | undefined;
  /** How many days of records statistics have. */
  readonly days: number | undefined;
  /** A folder that keeps the records of statistics from one run to the next: three years take an hour to make. */
  readonly folder: string | undefined;
}

/** Some rows that are measured together; only the wanted ones are. */
export interface Bench {
  readonly ids: readonly string[];
  run(isWanted: (id: string) => boolean, extent: Extent): Promise<Result[]>;
}

/** Some rows could not be measured; the others that belong to them were. */
export class Unmeasured extends Error {
  readonly results: readonly Result[];

  /** @param problems what was waited for in vain, a sentence a row */
  constructor(problems: readonly string[], results: readonly Result[]) {
    super(problems.join('\n'));
    this.results = results;
  }
}

/** One round of both. */
export interface Pair {
  readonly product: number;
  readonly limit: number;
}

const ROUNDS = 7;

/**
 * Runs product and limit in turn, after one round of each that does not count.
 * @param product gives what the row's unit says, for instance requests a second
 * @param limit the same for the limit
 */
export async function interleave(
  row: Row,
  product: () => Promise<number>,
  limit: () => Promise<number>,
  rounds = ROUNDS,
): Promise<Result> {
  await product();
  await limit();
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ product: await product(), limit: await limit() });
  }
  return resultOf(row, pairs);
}

/** The row of rounds that were measured before. */
export function resultOf(row: Row, pairs: readonly Pair[]): Result {
  const product = median(pairs.map((pair) => pair.product));
  const limit = median(pairs.map((pair) => pair.limit));
  const ratios = pairs.map((pair) => pair.product / pair.limit);
  return {
    ...row,
    product,
    limit,
    ratio: product / limit,
    worstRatio: row.target.startsWith('≤') ? Math.max(...ratios) : Math.min(...ratios),
    rounds: pairs.length,
  };
}

/** The row of something that is the same in every round, against the most that it may be. */
export function ofBudget(row: Omit<Row, 'target'>, value: number, most: number): Result {
  return resultOf({ ...row, target: '≤ 1' }, [{ product: value, limit: most }]);
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const middle = ordered.length / 2;
  const upper = ordered[Math.floor(middle)] ?? Number.NaN;
  const lower = ordered[Math.ceil(middle) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}
