import { expect, it } from 'vitest';
import { findProtocolAddresses } from './protocol-ports.ts';

interface Told {
  readonly egts?: number | null;
  readonly jt808?: number | null;
  readonly closed?: readonly { listener: string; port: number; reason: string }[];
}

/** Asks a server that tells its ports. */
const ask = ({ egts = 20_332, jt808 = 20_808, closed = [] }: Told, url = 'http://127.0.0.1:8080') =>
  findProtocolAddresses(
    {
      call: async (_, path) =>
        path === '/api/admin'
          ? { sections: [], closed_ports: closed }
          : {
              protocols: [
                { protocol: 'egts', port: egts, is_limited: false },
                { protocol: 'jt808', port: jt808, is_limited: false },
                { protocol: 'osmand', port: null, is_limited: false },
              ],
            },
    },
    url,
  );

it('units tell their records at the ports of the server, and the OsmAnd form at its own', async () => {
  expect(await ask({}, 'http://[::1]:8080')).toEqual({
    addresses: {
      egts: { host: '::1', port: 20_332 },
      jt808: { host: '::1', port: 20_808 },
      osmand: 'http://[::1]:8080/unit/osmand',
    },
    closed: [],
  });
});

it('nothing is told at a port that another program has, or that is not open', async () => {
  const closed = [{ listener: 'egts', port: 20_332, reason: 'EADDRINUSE' }];
  const { addresses, closed: left } = await ask({ closed, jt808: null });
  expect(Object.keys(addresses)).toEqual(['osmand']);
  expect(left).toEqual([
    { name: 'EGTS', reason: 'the server could not open port 20332' },
    { name: 'JT/T 808', reason: 'the server has no port for it' },
  ]);
});

it('a port that was closed under another configuration counts no more', async () => {
  const closed = [{ listener: 'egts', port: 20_333, reason: 'EADDRINUSE' }];
  expect((await ask({ closed })).addresses.egts).toEqual({ host: '127.0.0.1', port: 20_332 });
});
