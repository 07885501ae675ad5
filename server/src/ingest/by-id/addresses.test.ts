import { describe, expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { createAddressCheck } from './addresses.ts';

describe('addresses from where connections are taken', () => {
  it('are all unless some are named', () => {
    expect(readConfig({}).egtsFrom).toBeUndefined();
    expect(createAddressCheck(undefined)('203.0.113.7')).toBe(true);
  });

  it('are those of the ranges, in both families and as IPv4 within IPv6', () => {
    const { egtsFrom } = readConfig({ EGTS_FROM: '10.0.0.0/8, 192.0.2.5, 2001:db8::/32' });
    const isAllowed = createAddressCheck(egtsFrom);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.5', '2001:db8::7']) {
      expect(isAllowed(address), address).toBe(true);
    }
    for (const address of ['11.0.0.1', '192.0.2.6', '2001:db9::1', '::ffff:11.0.0.1', '']) {
      expect(isAllowed(address), address).toBe(false);
    }
  });

  it('that are none stop the start with a sentence', () => {
    expect(() => readConfig({ EGTS_FROM: 'the office' })).toThrow('EGTS_FROM is invalid');
    expect(() => readConfig({ EGTS_FROM: 'loopback' })).toThrow('EGTS_FROM is invalid');
  });
});
