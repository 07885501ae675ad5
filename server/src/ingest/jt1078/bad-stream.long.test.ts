// Streams that are damaged, that are none, and a database that falls silent while pictures come.
import { connect, type Socket } from 'node:net';
import type { CodedPicture } from '@ridewatch/unit/src/jt1078/elementary-stream.ts';
import { jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import { serveLive } from '@ridewatch/unit/src/jt1078/recorder.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { limitsOf } from '../../core/db/connections.ts';
import { openDatabase } from '../../core/db/db.ts';
import { isDatabaseAway } from '../../core/errors.ts';
import { openDatabaseLink } from '../../test/database-link.ts';
import {
  createJt1078World,
  type Jt1078World,
  type LiveBus,
  makePictures,
  openJt1078Ports,
  play,
  STEP_MS,
} from '../../test/jt1078.ts';

const WAIT = { timeout: 40_000, interval: 50 };
let world: Jt1078World;
let pictures: CodedPicture[];
beforeAll(async () => {
  world = await createJt1078World();
  pictures = makePictures('h264', 6);
});
afterAll(() => world.close());

const playlistAt = async (own: Jt1078World, uri: string): Promise<string> =>
  (await own.server.app.inject({ url: uri })).body;

/** The packets of a stream, each picture's apart. */
function packetsOf({ phone }: LiveBus, all: readonly CodedPicture[]): Buffer[][] {
  let serial = 0;
  return all.map(({ isKey, bytes }, n) => {
    const frame = { kind: isKey ? 'key' : 'predicted', timeMs: n * STEP_MS, bytes } as const;
    const packets = jt1078Packets({ phone, channel: 1, codec: 'h264' }, frame, serial);
    serial += packets.length;
    return packets;
  });
}

it('damage costs the pictures up to the next key picture, and no more', async () => {
  const bus = await world.freshBus();
  const uri = await world.watch(bus);
  const packets = packetsOf(bus, pictures);
  // Key pictures are 0, 20, 40 and so on: of the second row twelve are left, of the fourth one none.
  packets[32] = [Buffer.from('30316364ffffffff', 'hex')];
  packets[60]?.splice(1, 1);
  const socket = connect(world.jt1078.openPort(), '127.0.0.1');
  socket.write(Buffer.concat(packets.flat()));
  const playlist = await vi.waitFor(async () => {
    const told = await playlistAt(world, uri);
    expect(told.match(/m4s/g)).toHaveLength(4);
    return told;
  }, WAIT);
  // The last row waits for the next key picture.
  expect((await play(world.server, playlist)).pictures).toBe(20 + 12 + 20 + 20);
  socket.destroy();
});

it('pictures that are none end the stream with words', async () => {
  const bus = await world.freshBus();
  await world.watch(bus);
  const noise = [...Array(320).keys()].map((n) => ({
    ...{ isKey: n % 20 === 0, bytes: Buffer.alloc(3000, n) },
  }));
  const socket = connect(world.jt1078.openPort(), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.concat(packetsOf(bus, noise).flat()));
  await vi.waitFor(async () => {
    expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'not_a_video' });
  }, WAIT);
  socket.destroy();
});

it('a stream whose key pictures are too far apart ends with words', async () => {
  const bus = await world.freshBus();
  await world.watch(bus);
  const large = [...Array(30).keys()].map((n) => ({
    isKey: n === 0,
    bytes: Buffer.concat([pictures[n % 20]?.bytes ?? Buffer.alloc(0), Buffer.alloc(180_000, 0x55)]),
  }));
  // The only key picture is the first one.
  large.splice(20, 1);
  const socket = connect(world.jt1078.openPort(), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.concat(packetsOf(bus, [...large, ...pictures]).flat()));
  await vi.waitFor(async () => {
    expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'not_a_video' });
  }, WAIT);
  expect((await world.ends()).too_long).toBe(1);
  socket.destroy();
});

it('a stream without a second key picture in 35 s ends with words', async () => {
  const bus = await world.freshBus();
  await world.watch(bus);
  const before = (await world.ends()).too_long ?? 0;
  const [key, ...others] = pictures.slice(0, 20);
  const rest = Array.from({ length: 35_000 / STEP_MS + 1 }, (_, n) => others[n % others.length]);
  const packets = packetsOf(
    bus,
    [key, ...rest].filter((one) => one !== undefined),
  );
  const socket = connect(world.jt1078.openPort(), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.concat(packets.slice(0, 100).flat()));
  const { db } = world.server.deps.database;
  await vi.waitFor(async () => {
    const head = await db
      .selectFrom('live_pieces')
      .innerJoin('live_streams', 'live_streams.id', 'stream_id')
      .where('unit_id', '=', bus.unitId)
      .select('name')
      .execute();
    expect(head).toEqual([{ name: 'init.mp4' }]);
  }, WAIT);
  socket.write(Buffer.concat(packets.slice(100).flat()));
  await vi.waitFor(async () => {
    expect(await world.stateOf(bus)).toMatchObject({ state: 'failed', reason: 'not_a_video' });
  }, WAIT);
  expect((await world.ends()).too_long).toBe(before + 1);
  socket.destroy();
});

it('a database that falls silent costs pictures, and the stream goes on', async () => {
  const bus = await world.freshBus();
  const { database } = world.server.deps;
  const far = await openDatabaseLink(database.url);
  const own = openDatabase(far.url, 2, limitsOf.ingest, () => undefined);
  const ports = await openJt1078Ports(world.server, { database: own }, { idleMs: 30_000 });
  try {
    const terminal = await ports.jt808.terminal(bus.phone);
    await terminal.signIn();
    const recorder = serveLive(terminal, {
      ...{ phone: bus.phone, codec: 'h264', pictures, stepMs: STEP_MS, timers: createTimers(0) },
      signal: AbortSignal.timeout(WAIT.timeout),
    });
    const uri = await world.watch(bus);
    const numberIn = async (): Promise<number> =>
      Number(/MEDIA-SEQUENCE:(\d+)/.exec(await playlistAt(world, uri))?.[1] ?? 0);
    const first = await vi.waitFor(async () => {
      const number = await numberIn();
      expect(number).toBeGreaterThan(0);
      return number;
    }, WAIT);
    far.fallSilent();
    const asked = own.db.selectFrom('units').select('id').execute();
    expect(isDatabaseAway(await asked.catch((error: unknown) => error))).toBe(true);
    far.speak();
    await vi.waitFor(async () => expect(await numberIn()).toBeGreaterThan(first + 1), WAIT);
    // One connection all along.
    expect(recorder.requests).toHaveLength(1);
    expect(recorder.running()).toEqual([1]);
    const playlist = await playlistAt(world, uri);
    expect((await play(world.server, playlist)).pictures).toBeGreaterThanOrEqual(20);
    terminal.link.close();
  } finally {
    await ports.close();
    await own.close();
    await far.close();
  }
});

it('a stream whose pieces cannot be stored ends, and the log says why once', async () => {
  const bus = await world.freshBus();
  const { database, log } = world.server.deps;
  const error = vi.spyOn(log, 'error').mockReturnValue(undefined);
  const sendAll = (): Socket => {
    const socket = connect(world.jt1078.openPort(), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.write(Buffer.concat(packetsOf(bus, pictures).flat()));
    return socket;
  };
  await world.watch(bus);
  const before = (await world.ends()).not_put ?? 0;
  await database.db.schema.alterTable('live_pieces').renameTo('away').execute();
  try {
    for (const count of [1, 2]) {
      const socket = sendAll();
      await vi.waitFor(async () => expect((await world.ends()).not_put).toBe(before + count), WAIT);
      socket.destroy();
    }
  } finally {
    await database.db.schema.alterTable('away').renameTo('live_pieces').execute();
  }
  const lines = error.mock.calls.map(([, text]) => text);
  error.mockRestore();
  expect(lines).toEqual(['live video was not stored']);
});
