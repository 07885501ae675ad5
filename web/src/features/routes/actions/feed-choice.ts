import type { FeedWay } from '@ridewatch/contract/feed-ways';

/** A pattern of a feed by the ids of its ways. */
export interface FeedPattern {
  readonly there: string;
  readonly back: string | undefined;
}

/** The patterns of a choice `there+back,there,…`. */
export function patternsOf(choice: string): FeedPattern[] {
  return choice.split(',').map((pair) => {
    const [there = '', back] = pair.split('+');
    return { there, back };
  });
}

/** The choice of patterns; each counts once. */
export function choiceOf(patterns: readonly FeedPattern[]): string {
  const ids = patterns.map(({ there, back }) => (back === undefined ? there : `${there}+${back}`));
  return [...new Set(ids)].join(',');
}

/**
 * A pattern of the first ways that no pattern has yet.
 * @returns undefined when all ways are taken
 */
export function unusedPattern(
  patterns: readonly FeedPattern[],
  ways: readonly FeedWay[],
): FeedPattern | undefined {
  const taken = new Set(patterns.flatMap(({ there, back }) => [there, back]));
  const free = ways.filter(({ id }) => !taken.has(id));
  const there = free.find(({ direction }) => direction === 'FORWARD') ?? free[0];
  if (!there) return undefined;
  const back = free.find((way) => way !== there && way.direction === 'REVERSE');
  return { there: there.id, back: back?.id };
}
