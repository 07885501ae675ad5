// Connections that bring nothing of a unit take no place from one that does, and no address has all places.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Deps } from '../../deps.ts';
import * as egts from '../../test/egts.ts';
import * as jt808 from '../../test/jt808.ts';
import * as osmand from '../../test/osmand.ts';
import { ofAnotherProcess, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createOsmandListener } from '../osmand/listener.ts';
import { createPlaces } from './places.ts';
import { networkOf } from './unit-places.ts';

const egtsWorld = useWorld(egts.createEgtsWorld);
const jt808World = useWorld(jt808.createJt808World);
const osmandWorld = useWorld(osmand.createOsmandWorld);

interface Port {
  readonly openPort: () => number;
  /** Connects a unit and sends something of it. @returns sends more of it, unless its connection is closed */
  readonly unit: () => Promise<() => Promise<unknown>>;
}

const depsOf = ({ server }: { readonly server: TestServer }): Deps => ({
  ...server.deps,
  ...ofAnotherProcess(server),
});

type StartPort = (places: ReturnType<typeof createPlaces>) => Promise<Port>;

const startEgts: StartPort = async (places) => {
  const world = egtsWorld;
  const another = await egts.startTestEgts(depsOf(world), undefined, places);
  onTestFinished(() => another.stop());
  return {
    openPort: another.openPort,
    unit: async () => {
      const bus = await world.freshBus();
      const link = await another.open();
      let second = 0;
      const send = async () => {
        second += 1;
        return egts.sendRecords(link, [egts.record(bus.object, [egts.at(second)])], second);
      };
      await send();
      return send;
    },
  };
};

const startJt808: StartPort = async (places) => {
  const world = jt808World;
  const another = await jt808.startTestJt808(depsOf(world), undefined, places);
  onTestFinished(() => another.stop());
  return {
    openPort: () => another.listener.openPort(),
    unit: async () => {
      const terminal = await another.terminal((await world.freshBus()).phone);
      await terminal.signIn();
      return () => terminal.ask(JT808.heartbeat, Buffer.alloc(0));
    },
  };
};

const startOsmand: StartPort = async (places) => {
  const world = osmandWorld;
  const listener = createOsmandListener(depsOf(world), 0, undefined, undefined, places);
  await listener.start();
  onTestFinished(() => listener.stop());
  return {
    openPort: () => listener.openPort(),
    unit: async () => {
      const { id } = await world.freshBus();
      const socket = connect(listener.openPort(), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      const send = async () => {
        if (!socket.writable) throw new Error('closed');
        socket.write(`GET /?id=${id} HTTP/1.1\r\n\r\n`);
        const answered = once(socket, 'data').then(([bytes]) => String(bytes));
        const closed = once(socket, 'close').then(() => 'closed');
        const answer = await Promise.race([answered, closed]);
        if (answer === 'closed') throw new Error(answer);
        expect(answer).toMatch(/^HTTP\/1.1 200 /);
      };
      await send();
      return send;
    },
  };
};

const PORTS = [
  ['EGTS', startEgts],
  ['JT/T 808', startJt808],
  ['the OsmAnd form', startOsmand],
] as const;

/** Connects without a word. */
async function stranger(port: number, from: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).resume();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const isClosed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket, 'close');
};

it.each(PORTS)(
  'a port of %s takes a unit while strangers have all places, and it keeps its own',
  async (_, start) => {
    const port = await start(createPlaces(3, 2));
    const strangers = [];
    for (const _n of [1, 2, 3]) strangers.push(await stranger(port.openPort(), '127.0.0.2'));
    const send = await port.unit();
    await isClosed(strangers[0] as Socket);
    for (const _n of [1, 2, 3]) await stranger(port.openPort(), '127.0.0.2');
    await send();
  },
);

it.each(PORTS)('a port of %s gives no address all places, whatever it sends', async (_, start) => {
  const port = await start(createPlaces(3, 2));
  const [first, second] = [await port.unit(), await port.unit()];
  await first();
  // The third unit of the address takes the place of the one that was silent for longest.
  const third = await port.unit();
  await expect(second()).rejects.toThrow('closed');
  await Promise.all([first(), third()]);
  const other = await stranger(port.openPort(), '127.0.0.2');
  await Promise.all([first(), third()]);
  expect(other.closed).toBe(false);
});

it('a port whose places known units have says so in the log, and closes what comes', async () => {
  const port = await startEgts(createPlaces(1));
  const warn = vi.spyOn(egtsWorld.server.deps.log, 'warn');
  onTestFinished(() => warn.mockRestore());
  const send = await port.unit();
  await isClosed(await stranger(port.openPort(), '127.0.0.2'));
  await send();
  expect(warn.mock.calls).toEqual([
    [{ listener: 'egts', address: '127.0.0.2' }, 'a port has no place for a connection'],
  ]);
});

it('addresses of IPv6 share a place by their first 64 bits', () => {
  expect(
    ['10.0.0.7', '2001:db8:1:2:3:4:5:6', '2001:db8::7', '::1', '2001:db8::3:4:5:6:7'].map(
      networkOf,
    ),
  ).toEqual([...['10.0.0.7', '2001:db8:1:2', '2001:db8:0:0', '0:0:0:0', '2001:db8:0:3']]);
});
