// Rules for a connection in any protocol, over real sockets.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createConnectionTurns } from './connection-turns.ts';
import { createPump, type Pump, type Pumped } from './message-pump.ts';

/** More than the buffers of both ends hold. */
const MUCH = Buffer.alloc(64 * 2 ** 20);
/** Connections whose messages are stored at the same time. */
const AT_ONCE = 32;
const CLOSING_MS = 2000;
const STORING_MS = 3000;
const LIMITS = { firstMs: 60_000, idleMs: 600_000 };
/** Shorter than the limits: each look moves the clock, too. */
const WAIT = { timeout: 20_000 };

let server: ReturnType<typeof createServer>;
let clients: Socket[] = [];

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients) client.destroy();
  clients = [];
  await new Promise((resolve) => server.close(resolve));
});

type Protocol = Pick<Pumped<Buffer>, 'answer'> & Partial<Pumped<Buffer>>;

/** Connects, with a protocol whose messages are the bytes that come. */
async function open(protocol: Protocol): Promise<{ client: Socket; socket: Socket; pump: Pump }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const come: Buffer[] = [];
  const pump = createPump<Buffer>(socket, {
    ...{ name: 'test', log: createLog('silent'), limits: LIMITS },
    push: (bytes) => come.push(bytes),
    readSome: () => come.splice(0),
    isLost: () => false,
    ...protocol,
  });
  return { client, socket, pump };
}

it('a sender that reads nothing does not hold the shutdown for longer than two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client, socket, pump } = await open({ answer: async () => MUCH });
  client.pause().write('a');
  await vi.waitFor(() => expect(socket.writableNeedDrain).toBe(true));
  const stopped = pump.stop();
  await vi.advanceTimersByTimeAsync(CLOSING_MS - 1);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.destroyed).toBe(true);
  await stopped;
});

it('messages that wait to be stored do not hold the shutdown for longer than three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const held = Promise.withResolvers<void>();
  const inTurn = createConnectionTurns();
  const answer = vi.fn(async () => {
    await held.promise;
    return Buffer.from('b');
  });
  const all: Awaited<ReturnType<typeof open>>[] = [];
  for (let n = 0; n < AT_ONCE + 1; n += 1) all.push(await open({ answer, inTurn }));
  for (const { client } of all) client.write('a');
  // Any of them may be the one that waits.
  const isAllRead = () => all.every(({ socket }) => socket.bytesRead === 1);
  await vi.waitFor(() => expect(isAllRead()).toBe(true), WAIT);
  await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(AT_ONCE), WAIT);
  const stopped = Promise.all(all.map(({ pump }) => pump.stop()));
  await vi.advanceTimersByTimeAsync(STORING_MS - 1);
  expect(all.every(({ socket }) => !socket.destroyed)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  held.resolve();
  // The one whose turn comes later is not stored.
  await inTurn(0, async () => undefined);
  expect(answer).toHaveBeenCalledTimes(AT_ONCE);
});

it('messages that are not sound do not count as the first one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = vi.fn(async () => Buffer.alloc(0));
  const isSound = (message: Buffer): boolean => message.toString() === 'good';
  const [bad, good] = [await open({ answer, isSound }), await open({ answer, isSound })];
  bad.client.write('bad');
  good.client.write('good');
  await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(2), WAIT);
  await vi.advanceTimersByTimeAsync(LIMITS.firstMs);
  expect([bad, good].map(({ socket }) => socket.destroyed)).toEqual([true, false]);
});

it('a first message that is on its way has its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let bytes = 1;
  const { socket } = await open({ answer: async () => Buffer.alloc(0), partBytes: () => bytes });
  await vi.advanceTimersByTimeAsync(2 * LIMITS.firstMs);
  expect(socket.destroyed).toBe(false);
  bytes = 0;
  await vi.advanceTimersByTimeAsync(LIMITS.firstMs);
  expect(socket.destroyed).toBe(true);
});

it('answers that are read while the server stops arrive', async () => {
  const { client, socket, pump } = await open({ answer: async () => MUCH });
  client.pause().write('a');
  await vi.waitFor(() => expect(socket.writableNeedDrain).toBe(true));
  const stopped = pump.stop();
  let read = 0;
  client.on('data', ({ length }: Buffer) => {
    read += length;
  });
  client.resume();
  await once(client, 'end');
  expect(read).toBe(MUCH.length);
  await stopped;
});

it('a sender that says that it sends no more still gets its answers', async () => {
  const stored = Promise.withResolvers<void>();
  const { client, socket } = await open({
    answer: async (messages) => {
      await stored.promise;
      return Buffer.concat(messages);
    },
  });
  client.end('abc');
  // The end has come, and nothing of the sender is left to read.
  await vi.waitFor(() => expect(socket.readableEnded || socket.destroyed).toBe(true), WAIT);
  stored.resolve();
  let read = '';
  for await (const bytes of client) read += String(bytes);
  expect(read).toBe('abc');
});

it('messages that wait for nothing let those of other connections go ahead', async () => {
  const MANY = 100_000;
  let [turns, isAnswered] = [0, false];
  const nothing = Buffer.alloc(0);
  const busy = await open({
    readSome: () => {
      turns += 1;
      return isAnswered || turns > MANY ? [] : [nothing];
    },
    answer: async () => nothing,
  });
  const other = await open({
    answer: async () => {
      isAnswered = true;
      return nothing;
    },
  });
  busy.client.write('a');
  await vi.waitFor(() => expect(turns).toBeGreaterThan(0));
  other.client.write('a');
  await vi.waitFor(() => expect(isAnswered).toBe(true));
  expect(turns).toBeLessThan(MANY);
});

it('the messages of few connections are stored at the same time, and the turn of none is given up', async () => {
  const inTurn = createConnectionTurns();
  const held = Promise.withResolvers<void>();
  let [storing, most, stored] = [0, 0, 0];
  const answer = async () => {
    storing += 1;
    most = Math.max(most, storing);
    await held.promise;
    [storing, stored] = [storing - 1, stored + 1];
    return Buffer.from('b');
  };
  const all = [];
  for (let n = 0; n < AT_ONCE + 2; n += 1) all.push(await open({ answer, inTurn }));
  for (const { client } of all.slice(0, AT_ONCE)) client.write('a');
  await vi.waitFor(() => expect(storing === AT_ONCE).toBe(true));
  const [gone, last] = all.slice(AT_ONCE);
  for (const { client } of all.slice(AT_ONCE)) client.write('a');
  await vi.waitFor(() =>
    expect([gone, last].every((one) => one?.socket.bytesRead === 1)).toBe(true),
  );
  gone?.client.destroy();
  await vi.waitFor(() => expect(gone?.socket.destroyed === true).toBe(true));
  held.resolve();
  await Promise.all(all.filter((one) => one !== gone).map(({ client }) => once(client, 'data')));
  // Nobody heard the answer to the one that has gone.
  expect({ most, stored }).toEqual({ most: AT_ONCE, stored: AT_ONCE + 1 });
});
