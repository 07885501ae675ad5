// The ports of unit protocols: by configuration, each switched off by 0, on this machine alone in the demo.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { listRefused } from '../../core/refused-senders.ts';
import type { Deps, MakeListener } from '../../deps.ts';
import { makeFtpListener } from '../../ftp/listener.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createEgtsListener, makeEgtsListener } from '../egts/listener.ts';
import { makeJt808Listener } from '../jt808/listener.ts';
import { createJt1078Listener, makeJt1078Listener } from '../jt1078/listener.ts';
import { createOsmandListener, makeOsmandListener } from '../osmand/listener.ts';
import { listenAt } from './tcp-port.ts';

const server = useWorld<TestServer>(() => createTestServer([], { HOST: '127.0.0.1' }));

const PORTS: readonly (readonly [string, MakeListener, number | null])[] = [
  ['EGTS_PORT', makeEgtsListener, 20_332],
  ['JT808_PORT', makeJt808Listener, 20_808],
  // The OsmAnd form has a path at the product's own port, so it needs none.
  ['OSMAND_PORT', makeOsmandListener, null],
  ['JT1078_PORT', makeJt1078Listener, 1078],
  ['FTP_PORT', makeFtpListener, 20_021],
];
const withConfig = (environment: Record<string, string>): Deps => {
  const { dataDir } = server.deps.config;
  return { ...server.deps, config: readConfig({ DATA_DIR: dataDir, ...environment }) };
};

it.each(PORTS)(
  '%s has its usual port, any other one, and none where it is 0',
  (name, make, usual) => {
    const portOf = (environment: Record<string, string>): number | null =>
      make(withConfig(environment))?.port ?? null;
    expect([portOf({}), portOf({ [name]: '23456' }), portOf({ [name]: '0' })]).toEqual([
      ...[usual, 23_456, null],
    ]);
  },
);

it('data connections of FTP have ports of their own', () => {
  expect(readConfig({}).ftpPassivePorts).toEqual({ first: 20_100, last: 20_199 });
});

it('the demo listens on this machine alone, unless somebody says otherwise', () => {
  expect(readConfig({}, { demo: true }).host).toBe('127.0.0.1');
  expect(readConfig({ HOST: '0.0.0.0' }, { demo: true }).host).toBe('0.0.0.0');
});

it('a port of units is opened at the address of the configuration, and at no other', async () => {
  const listener = createEgtsListener(server.deps, 0);
  await listener.start();
  onTestFinished(() => listener.stop());
  const own = connect({ port: listener.openPort(), host: '127.0.0.1' });
  await once(own, 'connect');
  own.destroy();
  const other = connect({ port: listener.openPort(), host: '127.0.0.2' });
  await expect(once(other, 'connect')).rejects.toThrow('ECONNREFUSED');
});

it.each(PORTS)(
  '%s that another program has is named, and the program stays as it is',
  async (name, make) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const listener = make(withConfig({ HOST: '127.0.0.1', [name]: `${port}` }));
    const words = `${name} ${port} cannot be opened: another program has it`;
    const error = vi.spyOn(server.deps.log, 'error');
    onTestFinished(() => error.mockRestore());
    await expect(listener?.start()).rejects.toMatchObject({ fault: 'taken', message: words });
    // It is tried each 15 s: the one who tries says it once.
    expect(error.mock.calls).toEqual([]);
    expect(other.listening).toBe(true);
  },
);

it('a port that is tried again and again leaves nothing behind on its server', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const own = createServer();
  const place = { variable: 'EGTS_PORT', port, host: '127.0.0.1' };
  const left = () => own.eventNames().map((name) => [name, own.listenerCount(name)]);
  const before = left();
  for (let n = 0; n < 2; n += 1) await expect(listenAt(own, place)).rejects.toThrow('EGTS_PORT');
  expect(left()).toEqual(before);
  await listenAt(own, { ...place, port: 0 });
  onTestFinished(() => void own.close());
  expect(left()).toEqual(before);
});

it('without JT/T 808, by which terminals are asked for video, live video and FTP have no port', () => {
  expect(makeJt1078Listener(withConfig({ JT808_PORT: '0' }))).toBeNull();
  expect(makeFtpListener(withConfig({ JT808_PORT: '0' }))).toBeNull();
});

it('a terminal of EGTS that has not signed in after six seconds loses its connection, and no sooner', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const listener = createEgtsListener(server.deps, 0);
  await listener.start();
  onTestFinished(() => listener.stop());
  const before = vi.getTimerCount();
  const socket = connect(listener.openPort(), '127.0.0.1').resume();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(before));
  const closed = once(socket, 'close');
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(5999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

it('an address that may not send to a port is noted as refused last', async () => {
  const deps = withConfig({ EGTS_FROM: '192.0.2.1', OSMAND_FROM: '192.0.2.1', HOST: '127.0.0.1' });
  const noted = async () => {
    const refused = await listRefused(deps.database.db, deps.clock.nowMs());
    return ['egts', 'osmand'].map((name) => refused.get(name)?.address);
  };
  expect(await noted()).toEqual([undefined, undefined]);
  const egts = createEgtsListener(deps, 0);
  const osmand = createOsmandListener(deps, 0);
  for (const listener of [egts, osmand]) {
    await listener.start();
    onTestFinished(() => listener.stop());
  }
  await once(connect(egts.openPort(), '127.0.0.1').resume(), 'close');
  await fetch(`http://127.0.0.1:${osmand.openPort()}/?id=1`);
  await vi.waitFor(async () => expect(await noted()).toEqual(['127.0.0.1', '127.0.0.1']));
});

it('live video is taken from the addresses of JT/T 808 alone', async () => {
  const { deps } = server;
  const openFor = async (jt808From: readonly string[]): Promise<number> => {
    const listener = createJt1078Listener({ ...deps, config: { ...deps.config, jt808From } }, 0);
    await listener.start();
    onTestFinished(() => listener.stop());
    return listener.openPort();
  };
  const refused = connect(await openFor(['10.0.0.0/8', '::1']), '127.0.0.1').resume();
  await once(refused, 'close');
  const taken = connect(await openFor(['127.0.0.0/8']), '127.0.0.1');
  onTestFinished(() => void taken.destroy());
  // The port reads bytes that are no stream of a terminal, and closes the connection when there are too many.
  taken.write(Buffer.alloc(100, 0x30));
  await once(taken, 'connect');
  let isClosed = false;
  taken.on('close', () => {
    isClosed = true;
  });
  const another = connect(await openFor(['10.0.0.0/8']), '127.0.0.1').resume();
  await once(another, 'close');
  expect(isClosed).toBe(false);
});
