import { describe, expect, it } from 'vitest';
import { momentAt, readSpan, refusalOf, timeOf, writeSpan } from './span.ts';

const HOUR_MS = 3_600_000;
const bounds = { startMs: Date.UTC(2026, 10, 20, 21), endMs: Date.UTC(2026, 10, 21, 21) };
const able = { enabled: true, status: 'online' } as const;
const nowMs = bounds.startMs + 4 * HOUR_MS;
const refusedOf = (
  span: Parameters<typeof refusalOf>[0],
  cameras: Parameters<typeof refusalOf>[1],
) => refusalOf(span, cameras, nowMs);
const span = { startMs: bounds.startMs, endMs: bounds.startMs + HOUR_MS };

describe('a chosen range', () => {
  it('stands in the address, and is read from it', () => {
    expect(writeSpan(span, bounds)).toBe('0-3600');
    expect(readSpan('0-3600', bounds)).toEqual(span);
    expect(readSpan('nonsense', bounds)).toBeUndefined();
    expect(readSpan('0-999999', bounds)).toBeUndefined();
  });

  it('is typed as the clock of the bus shows it', () => {
    expect(timeOf(span.endMs, 'Europe/Moscow')).toBe('01:00:00');
    expect(momentAt('2026-11-21', '01:00:00', 'Europe/Moscow')).toBe(span.endMs);
  });
});

describe('a preload', () => {
  it('may be an hour, and no more', () => {
    expect(refusedOf(span, [able])).toBeUndefined();
    expect(refusedOf({ ...span, endMs: span.endMs + 1 }, [able])).toBe('tooLarge');
  });

  it('needs a range', () => {
    expect(refusedOf(undefined, [able])).toBe('empty');
    expect(refusedOf({ ...span, endMs: Number.NaN }, [able])).toBe('empty');
  });

  it('ends behind its start', () => {
    expect(refusedOf({ ...span, endMs: span.startMs }, [able])).toBe('backwards');
    expect(refusedOf({ ...span, endMs: span.startMs - 1 }, [able])).toBe('backwards');
  });

  it('is of what has been recorded, until now by a clock that is a little ahead', () => {
    const minutes = (from: number, to: number) => ({
      startMs: nowMs + from * 60_000,
      endMs: nowMs + to * 60_000,
    });
    expect(refusedOf(minutes(0, 1), [able])).toBe('startAhead');
    expect(refusedOf(minutes(-1, 6), [able])).toBe('endAhead');
    expect(refusedOf(minutes(-1, 5), [able])).toBeUndefined();
  });

  it('needs a camera that can send', () => {
    expect(refusedOf(span, [{ ...able, status: 'offline' }])).toBe('offline');
    expect(refusedOf(span, [{ ...able, enabled: false }])).toBe('offline');
    expect(refusedOf(span, [{ ...able, status: 'offline' }, able])).toBeUndefined();
  });
});
