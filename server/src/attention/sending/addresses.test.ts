import { describe, expect, it } from 'vitest';
import { checkHost, isPrivateAddress, lookupPublic } from './addresses.ts';

describe('an address of a webhook', () => {
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:a01:203',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'localhost',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '193.0.0.1', '2a00:1450:4010::1'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '[::1]', '[::ffff:7f00:1]'])(
    'that is written as %s is refused',
    (host) => {
      expect(() => checkHost(new URL(`http://${host}/`).hostname)).toThrow(/private network/);
    },
  );

  it('whose name resolves to a private one is refused', async () => {
    const failed = await new Promise<Error | null>((resolve) => {
      lookupPublic('localhost', {}, (error) => resolve(error));
    });
    expect(failed?.message).toBe('localhost is an address of a private network');
  });
});
