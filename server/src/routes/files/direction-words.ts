import type { RouteDirection } from '@ridewatch/contract/laps';

const DIRECTIONS: ReadonlyMap<string, RouteDirection> = new Map([
  ...['0', 'forward', 'a', 'ab', 'out', 'outbound', 'прямое', 'туда', 'прямой'].map(
    (word) => [word, 'FORWARD'] as const,
  ),
  ...[
    '1',
    'reverse',
    'backward',
    'b',
    'ba',
    'in',
    'inbound',
    'обратное',
    'обратно',
    'обратный',
  ].map((word) => [word, 'REVERSE'] as const),
]);

/** The direction that a word of a file means; null for none or an unknown one. */
export function directionOf(value: unknown): RouteDirection | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return DIRECTIONS.get(String(value).trim().toLowerCase()) ?? null;
}
