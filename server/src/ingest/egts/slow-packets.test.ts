// A packet that a weak link brings slowly is taken; one whose rest does not come is given up.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { egtsPacket } from '@ridewatch/unit/src/egts/packet.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createTestClock } from '../../test/test-deps.ts';
import { openSession } from './session.ts';

const LIMITS = { firstMs: 6000, partMs: 10_000, idleMs: 900_000 };

let server: ReturnType<typeof createServer>;
let client: Socket;
let socket: Socket;
let clock: ReturnType<typeof createTestClock>;
let sent: number;
let answered: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  [socket] = (await once(server, 'connection')) as [Socket];
  [sent, answered] = [0, 0];
  client.on('data', ({ length }: Buffer) => {
    answered += length;
  });
  clock = createTestClock(0);
  openSession(socket, {
    ...{ clock, log: createLog('silent'), limits: LIMITS, inTurn: (_, work) => work() },
    takeRecords: async () => [],
    findUnits: async () => new Map(),
    knocks: { note: () => undefined },
    heardUnits: { note: () => undefined },
    place: { keep: () => undefined, leave: () => undefined },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends bytes, and waits until the session has read them. */
async function send(bytes: Buffer): Promise<void> {
  client.write(bytes);
  sent += bytes.length;
  const isRead = () =>
    socket.bytesRead >= sent && !socket.isPaused() && socket.readableLength === 0;
  while (!isRead() && !socket.destroyed) await setImmediate();
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}

async function isAnswered(): Promise<void> {
  while (answered === 0 && !socket.destroyed) await setImmediate();
  expect(answered).toBeGreaterThan(0);
}

it('a packet that takes 45 seconds is read and answered, also as the first one of a connection', async () => {
  const packet = egtsPacket(1, 1, Buffer.alloc(20_000, 0xff));
  for (let from = 0; from < packet.length; from += 4000) {
    if (from > 0) await pass(9000);
    await send(packet.subarray(from, from + 4000));
  }
  await isAnswered();
  expect(socket.destroyed).toBe(false);
});

it('a packet that stands still for ten seconds is given up, and what is behind its beginning is read', async () => {
  await send(behindWrongLength());
  await pass(LIMITS.partMs - 1);
  expect(answered).toBe(0);
  await pass(1);
  await isAnswered();
});

it('packets that come behind a wrong length hold the connection up for hardly longer', async () => {
  await send(behindWrongLength());
  await pass(5000);
  await send(small());
  await pass(5000);
  await send(small());
  expect(answered).toBe(0);
  await pass(1000);
  await isAnswered();
});

const small = (): Buffer => egtsPacket(2, 1, Buffer.alloc(30, 0xff));
/** A header with a right checksum and a length of 60,000, as one of 256 damaged ones has, and a sound packet. */
const behindWrongLength = (): Buffer =>
  Buffer.concat([egtsPacket(1, 1, Buffer.alloc(60_000)).subarray(0, 11), small()]);
