import type { FeedWay } from '@ridewatch/contract/feed-ways';
import { describe, expect, it } from 'vitest';
import { choiceOf, patternsOf, unusedPattern } from './feed-choice.ts';

const way = (id: string, direction: FeedWay['direction']): FeedWay => ({
  ...{ id, direction, route: 0, name: id, stops: 3, trips: 1 },
});
const ways = [way('a', 'FORWARD'), way('b', 'FORWARD'), way('x', 'REVERSE'), way('y', 'REVERSE')];

describe('the choice of patterns in a feed', () => {
  it('is read and written as its patterns, each once', () => {
    expect(patternsOf('a+x,b')).toEqual([
      { there: 'a', back: 'x' },
      { there: 'b', back: undefined },
    ]);
    expect(choiceOf(patternsOf('a+x,b'))).toBe('a+x,b');
    expect(choiceOf(patternsOf('a+x,b,a+x'))).toBe('a+x,b');
  });

  it('goes on with ways that no pattern has', () => {
    expect(unusedPattern(patternsOf('a+x'), ways)).toEqual({ there: 'b', back: 'y' });
    expect(unusedPattern(patternsOf('a+x,b'), ways)).toEqual({ there: 'y', back: undefined });
    expect(unusedPattern(patternsOf('a+x,b+y'), ways)).toBeUndefined();
  });
});
