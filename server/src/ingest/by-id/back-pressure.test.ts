// While what a unit has sent is being stored, no more of it is read: the rest waits in the buffers of the sender.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createPump } from './message-pump.ts';

/** More than the buffers of both ends hold. */
const MUCH = Buffer.alloc(24 * 2 ** 20);
const MOST_READ = 2 ** 20;

it('a sender that goes on while nothing can be stored fills no memory, and is read to its end afterwards', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  const held = Promise.withResolvers<void>();
  const answer = vi.fn(async () => {
    await held.promise;
    return Buffer.alloc(0);
  });
  let waiting = 0;
  let read = 0;
  createPump<number>(socket, {
    ...{ name: 'test', log: createLog('silent'), limits: { firstMs: 60_000, idleMs: 60_000 } },
    push: ({ length }) => {
      waiting += length;
      read += length;
    },
    readSome: () => {
      const some = waiting > 0 ? [waiting] : [];
      waiting = 0;
      return some;
    },
    isLost: () => false,
    answer,
  });
  client.write(MUCH);
  // The buffers between them are full: the sender can write no more.
  await vi.waitFor(() => expect(answer).toHaveBeenCalled());
  let before = -1;
  await vi.waitFor(() => {
    const { bytesWritten, writableLength } = client;
    const sent = bytesWritten - writableLength;
    const stands = sent === before;
    before = sent;
    expect(stands).toBe(true);
  });
  expect(answer).toHaveBeenCalledTimes(1);
  expect(read).toBeLessThan(MOST_READ);
  expect(socket.isPaused()).toBe(true);
  held.resolve();
  await vi.waitFor(() => expect(read).toBe(MUCH.length), { timeout: 20_000 });
});
