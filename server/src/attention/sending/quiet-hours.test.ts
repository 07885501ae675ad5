import { describe, expect, it } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const at = (time: string) => Date.parse(`2026-11-18T${time}:00+03:00`);
const until = (time: string, from: string, to: string) => {
  const ms = quietUntil(at(time), 'Europe/Moscow', { from, to });
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe('quiet hours', () => {
  it('over midnight end in the morning after', () => {
    expect(until('21:59', '22:00', '06:30')).toBeUndefined();
    expect(until('22:00', '22:00', '06:30')).toBe('2026-11-19T03:30:00.000Z');
    expect(until('03:00', '22:00', '06:30')).toBe('2026-11-18T03:30:00.000Z');
    expect(until('06:30', '22:00', '06:30')).toBeUndefined();
  });

  it('within a day end on it', () => {
    expect(until('12:59', '13:00', '14:00')).toBeUndefined();
    expect(until('13:30', '13:00', '14:00')).toBe('2026-11-18T11:00:00.000Z');
  });

  it('of equal times are none', () => {
    expect(until('08:00', '08:00', '08:00')).toBeUndefined();
  });

  it('follow the clocks of their zone over a change of summer time', () => {
    const quiet = { from: '22:00', to: '06:00' };
    const nightMs = Date.parse('2026-03-28T23:30:00+01:00');
    const endMs = quietUntil(nightMs, 'Europe/Berlin', quiet) ?? 0;
    expect(new Date(endMs).toISOString()).toBe('2026-03-29T04:00:00.000Z');
  });

  it.each(['02:30', '03:00'])('in the second hour of an autumn night end later, at %s', (to) => {
    const secondMs = Date.parse('2026-10-25T02:10:00+01:00');
    const endMs = quietUntil(secondMs, 'Europe/Berlin', { from: '22:00', to }) ?? 0;
    expect(new Date(endMs).toISOString()).toBe(
      new Date(Date.parse(`2026-10-25T${to}:00+01:00`)).toISOString(),
    );
  });
});
