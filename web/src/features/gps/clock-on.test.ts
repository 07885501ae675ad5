import { describe, expect, it } from 'vitest';
import { clockOn } from './clock-on.ts';

describe('the time of a stop', () => {
  const at = (moment: string) =>
    clockOn('2026-03-10', Date.parse(moment), 'Europe/Moscow', 'HH:mm');

  it('has its date where the bus came the evening before', () => {
    expect(at('2026-03-10T05:12:00Z')).toBe('08:12');
    expect(at('2026-03-09T19:40:00Z')).toBe('09.03 22:40');
  });

  it('goes by the local day', () => {
    expect(at('2026-03-09T21:10:00Z')).toBe('00:10');
  });
});
