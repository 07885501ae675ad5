import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createVideoVerifier, expiryOf, signVideo } from './sign.ts';

const keys = { currentId: 2, secrets: new Map([[2, randomBytes(32)]]) };
const verify = createVideoVerifier(keys);
const holder = { userId: 20, sessionId: '8f14e45f-ceea-4671-a3a1-b0d2a2b2b2b2' };
const signed = { fragmentId: 7, variant: 'playable', ...holder } as const;
const asked = { fragmentId: 7, variant: 'playable' } as const;
const nowMs = Date.UTC(2026, 10, 20, 8, 14);
const HOUR_MS = 3_600_000;

describe('a signed address of video', () => {
  it('tells whose it is, and holds still for the hour', () => {
    const hash = signVideo(keys, signed, nowMs);
    expect(verify(hash, asked, nowMs)).toEqual(holder);
    expect(signVideo(keys, signed, nowMs + 45 * 60_000)).toBe(hash);
    expect(hash).toMatch(/^[\w-]+$/);
  });

  it('lives for eleven to twelve hours', () => {
    expect(expiryOf(nowMs) * 1000 - nowMs).toBeGreaterThan(11 * HOUR_MS);
    expect(expiryOf(nowMs) * 1000 - nowMs).toBeLessThanOrEqual(12 * HOUR_MS);
    const hash = signVideo(keys, signed, nowMs);
    expect(verify(hash, asked, nowMs + 11 * HOUR_MS)).toEqual(holder);
    expect(() => verify(hash, asked, nowMs + 12 * HOUR_MS)).toThrow('no longer valid');
  });

  it.each([
    ['another fragment', { fragmentId: 8, variant: 'playable' }],
    ['another file of it', { fragmentId: 7, variant: 'source' }],
  ] as const)('does not open %s', (_name, other) => {
    const hash = signVideo(keys, signed, nowMs);
    expect(verify(hash, asked, nowMs)).toEqual(holder);
    expect(() => verify(hash, other, nowMs)).toThrow('no longer valid');
  });

  it('that was forged or damaged opens nothing', () => {
    const bytes = Buffer.from(signVideo(keys, signed, nowMs), 'base64url');
    for (const at of [0, 5, 11, 12, 27, 36, 59]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => verify(damaged.toString('base64url'), asked, nowMs)).toThrow('no longer valid');
    }
    const whole = bytes.toString('base64url');
    for (const nonsense of ['', 'x', 'Ж', 'a'.repeat(80), `${whole}A`, `${whole}=`, `${whole} `]) {
      expect(() => verify(nonsense, asked, nowMs)).toThrow('no longer valid');
    }
  });
});
