import { describe, expect, it } from 'vitest';
import { momentAt, readSpan, refusalOf, timeOf, writeSpan } from './span.ts';

const HOUR_MS = 3_600_000;
const bounds = { startMs: Date.UTC(2026, 10, 20, 21), endMs: Date.UTC(2026, 10, 21, 21) };
const able = { enabled: true, status: 'online' } as const;
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
    expect(refusalOf(span, [able])).toBeUndefined();
    expect(refusalOf({ ...span, endMs: span.endMs + 1 }, [able])).toBe('tooLarge');
  });

  it('needs a range', () => {
    expect(refusalOf(undefined, [able])).toBe('empty');
    expect(refusalOf({ ...span, endMs: Number.NaN }, [able])).toBe('empty');
  });

  it('ends behind its start', () => {
    expect(refusalOf({ ...span, endMs: span.startMs }, [able])).toBe('backwards');
    expect(refusalOf({ ...span, endMs: span.startMs - 1 }, [able])).toBe('backwards');
  });

  it('needs a camera that can send', () => {
    expect(refusalOf(span, [{ ...able, status: 'offline' }])).toBe('offline');
    expect(refusalOf(span, [{ ...able, enabled: false }])).toBe('offline');
    expect(refusalOf(span, [{ ...able, status: 'offline' }, able])).toBeUndefined();
  });
});
