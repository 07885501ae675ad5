import { describe, expect, it } from 'vitest';
import { base32Of, codeOf, findStep, otpAddressOf, stepOf } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('a code of an authenticator app', () => {
  // RFC 6238, appendix B.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('%i s after 1970 is %s, as RFC 6238 says', (seconds, code) => {
    expect(codeOf(secret, stepOf(seconds * 1000), 8)).toBe(code);
  });

  it('fits its step, the one before and the one after, and no other', () => {
    const nowMs = 1_700_000_000_000;
    const found = [-2, -1, 0, 1, 2].map(
      (away) =>
        findStep(secret, codeOf(secret, stepOf(nowMs) + away), { nowMs, lastStep: 0 }) !==
        undefined,
    );
    expect(found).toEqual([false, true, true, true, false]);
  });

  it('fits once, and no earlier one does after it', () => {
    const nowMs = 1_700_000_000_000;
    const step = stepOf(nowMs);
    const find = (at: number) => findStep(secret, codeOf(secret, at), { nowMs, lastStep: step });
    expect(find(step)).toBeUndefined();
    expect(find(step - 1)).toBeUndefined();
    expect(find(step + 1)).toBe(step + 1);
  });

  it.each(['', '12345', '1234567', '１２３４５６', 'abcdef'])("is never '%s'", (code) => {
    expect(findStep(secret, code, { nowMs: 59_000, lastStep: 0 })).toBeUndefined();
  });
});

describe('a secret', () => {
  // RFC 4648, section 10, without padding.
  it.each([
    ['fooba', 'MZXW6YTB'],
    ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  ])('%s is %s in base32', (text, base32) => {
    expect(base32Of(Buffer.from(text))).toBe(base32);
  });

  it('goes into the address of a QR code with login and installation', () => {
    expect(otpAddressOf(secret, 'иван & co', 'Ride watch')).toBe(
      `otpauth://totp/Ride%20watch:${encodeURIComponent('иван & co')}?secret=${base32Of(secret)}&issuer=Ride%20watch`,
    );
  });
});
