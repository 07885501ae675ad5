// Connections of terminals that are not taken, or not for long: each is closed, and counted with its reason.
import { connect, type Socket } from 'node:net';
import {
  type Jt1078Camera,
  type Jt1078Frame,
  jt1078Packets,
} from '@ridewatch/unit/src/jt1078/packet.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createJt1078World, type Jt1078World, type LiveBus } from '../../test/jt1078.ts';
import { createJt1078Listener } from './listener.ts';

/** Limits that no test reaches. */
const LONG = { firstMs: 60_000, idleMs: 60_000, lookMs: 60_000, mostStreams: 10, connections: 3 };
let world: Jt1078World;
let bus: LiveBus;
const sockets: Socket[] = [];
beforeAll(async () => {
  world = await createJt1078World({ mostStreams: 2 });
  bus = await world.freshBus();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await world.streaming(0);
});
afterAll(() => world.close());

type Sent = Partial<Jt1078Camera> & Partial<Pick<Jt1078Frame, 'kind'>>;
interface Sender {
  readonly closed: Promise<void>;
  send(bytes: Buffer): void;
  /** Sends a picture of a camera; its bytes need not be one. */
  picture(camera: Sent, n?: number, bytes?: Buffer): void;
}

async function open(port = world.jt1078.openPort(), from = '127.0.0.1'): Promise<Sender> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const send = (bytes: Buffer): void => void socket.write(bytes);
  return {
    ...{ closed, send },
    picture: ({ kind = 'key', ...camera }, n = 0, bytes = Buffer.alloc(500, 1)) => {
      const full = { phone: bus.phone, channel: 1, codec: 'h264', ...camera } as const;
      const frame = { kind, timeMs: n * 40, bytes };
      send(Buffer.concat(jt1078Packets(full, frame, n)));
    },
  };
}

/** Ends that a connection adds to those of all, once it is closed. */
async function endOf(
  act: (sender: Sender) => unknown,
  port?: number,
): Promise<Record<string, number>> {
  const before = await world.ends();
  const sender = await open(port);
  await act(sender);
  await sender.closed;
  return vi.waitFor(async () => {
    const added = Object.entries(await world.ends()).flatMap(([end, count]) =>
      count > (before[end] ?? 0) ? [[end, count - (before[end] ?? 0)] as const] : [],
    );
    expect(added).not.toEqual([]);
    return Object.fromEntries(added);
  });
}

it('a stream that nobody asked for is closed', async () => {
  expect(await endOf((sender) => sender.picture({}))).toEqual({ not_asked: 1 });
});

it('a terminal that no unit has is closed, and so is one of another channel', async () => {
  await world.watch(bus);
  expect(await endOf((sender) => sender.picture({ phone: '18800000000' }))).toEqual({
    not_asked: 1,
  });
  expect(await endOf((sender) => sender.picture({ channel: 2 }))).toEqual({ not_asked: 1 });
});

it('a unit that is switched off is closed', async () => {
  const other = await world.freshBus();
  await world.watch(other);
  await world.server.deps.database.db
    .updateTable('units')
    .set({ enabled: false })
    .where('id', '=', other.unitId)
    .execute();
  expect(await endOf((sender) => sender.picture({ phone: other.phone }))).toEqual({ not_asked: 1 });
});

it('a camera without a channel in its key brings nothing', async () => {
  const other = await world.freshBus('cabin');
  await world.watch(other);
  expect(await endOf((sender) => sender.picture({ phone: other.phone }))).toEqual({ not_asked: 1 });
});

it('what is no stream of a terminal is closed', async () => {
  const noise = (sender: Sender): void => sender.send(Buffer.alloc(1_200_000, 0x30));
  expect(await endOf(noise)).toEqual({ not_packets: 1 });
});

it('a connection that says nothing is not waited for', async () => {
  const hasty = createJt1078Listener(world.server.deps, 0, { ...LONG, firstMs: 50 });
  await hasty.start();
  expect(await endOf(() => undefined, hasty.openPort())).toEqual({ closed: 1 });
  await hasty.stop();
});

it('a stream that falls silent is not waited for', async () => {
  const hasty = createJt1078Listener(world.server.deps, 0, { ...LONG, idleMs: 100 });
  await hasty.start();
  await world.watch(bus);
  expect(await endOf((sender) => sender.picture({}), hasty.openPort())).toEqual({ silent: 1 });
  await hasty.stop();
});

it('a stream ends when nobody watches any more', async () => {
  const other = await world.freshBus();
  await world.watch(other);
  const end = endOf(async (sender) => {
    sender.picture({ phone: other.phone });
    await world.streaming(1);
    world.server.clock.advance(51_000);
  });
  expect(await end).toEqual({ not_watched: 1 });
});

describe('a stream that comes', () => {
  type Changed = 'units' | 'cameras';
  const NUMBER = { protocol_id: '13999999999' };
  it.each<[string, Changed, object]>([
    ['its unit is switched off', 'units', { enabled: false }],
    ['the number is taken from its unit', 'units', NUMBER],
    ['its unit has another protocol', 'units', { protocol: 'egts' }],
    ['its camera has another channel', 'cameras', { stream_id: 'ch2' }],
  ])('ends when %s', async (_, table, change) => {
    const other = await world.freshBus();
    await world.watch(other);
    const end = endOf(async (sender) => {
      sender.picture({ phone: other.phone });
      await world.streaming(1);
      await world.server.deps.database.db
        .updateTable(table)
        .set(change)
        .where('id', '=', table === 'units' ? other.unitId : other.camera)
        .execute();
    });
    expect(await end).toEqual({ not_watched: 1 });
  });
});

it('a terminal whose key pictures are far apart is not told again while it sends', async () => {
  const other = await world.freshBus();
  await world.watch(other);
  const { db } = world.server.deps.database;
  const sender = await open();
  for (let n = 0; n < 4; n += 1) {
    world.server.clock.advance(6000);
    sender.picture({ phone: other.phone, kind: n === 0 ? 'key' : 'predicted' }, n);
    const told = db
      .selectFrom('live_streams')
      .select('asked_at')
      .where('unit_id', '=', other.unitId);
    await vi.waitFor(async () =>
      expect(await told.execute()).toEqual([{ asked_at: new Date(world.server.clock.nowMs()) }]),
    );
    await world.lookAfter(other);
  }
  const commands = db
    .selectFrom('unit_commands')
    .select('kind')
    .where('unit_id', '=', other.unitId);
  expect(await commands.execute()).toEqual([{ kind: 'start_live' }]);
});

it('beyond so many megabits a second nothing is taken', async () => {
  await world.watch(bus);
  const end = await endOf((sender) => {
    for (let n = 0; n < 6; n += 1) sender.picture({}, n * 3000, Buffer.alloc(1_900_000, 1));
  });
  expect(end).toEqual({ too_fast: 1 });
});

it('beyond so many streams of a process none is taken', async () => {
  const buses = [await world.freshBus(), await world.freshBus(), await world.freshBus()];
  for (const one of buses) await world.watch(one);
  const [first, second, third] = buses.map(({ phone }) => phone);
  (await open()).picture({ phone: first ?? '' });
  (await open()).picture({ phone: second ?? '' });
  await world.streaming(2);
  const end = await endOf((sender) => sender.picture({ phone: third ?? '' }));
  expect(end).toEqual({ too_many: 1 });
});

it('connections of an address that bring no stream keep no terminal out', async () => {
  const narrow = createJt1078Listener(world.server.deps, 0, LONG);
  await narrow.start();
  onTestFinished(() => narrow.stop());
  await world.watch(bus);
  const port = narrow.openPort();
  const end = endOf(async (idle) => {
    for (let n = 0; n < 2; n += 1) await open(port, '127.0.0.2');
    (await open(port)).picture({});
    await world.streaming(1);
    await idle.closed;
  }, port);
  expect(await end).toEqual({ too_many: 1 });
});

it('a terminal that connects again takes its stream over', async () => {
  await world.watch(bus);
  const end = endOf(async (sender) => {
    sender.picture({});
    await world.streaming(1);
    (await open()).picture({});
  });
  expect(await end).toEqual({ taken_over: 1 });
});

it('pictures that browsers do not play end the stream with words', async () => {
  const other = await world.freshBus();
  await world.watch(other);
  const end = await endOf((sender) => sender.picture({ phone: other.phone, payloadType: 101 }));
  expect(end).toEqual({ wrong_codec: 1 });
  await vi.waitFor(async () =>
    expect(await world.stateOf(other)).toMatchObject({ state: 'failed', reason: 'not_a_video' }),
  );
});

it('a server that stops ends all streams', async () => {
  const own = createJt1078Listener(world.server.deps, 0, { ...LONG, mostStreams: 1 });
  await own.start();
  await world.watch(bus);
  const end = endOf((sender) => {
    sender.picture({});
    return own.stop();
  }, own.openPort());
  expect(await end).toEqual({ stopped: 1 });
});
