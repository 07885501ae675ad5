// An upstream that sends what nobody asked for costs its own connection, and no more.
import { createServer, type Socket } from 'node:net';
import { egtsData, egtsPacket } from '@ridewatch/unit/src/egts/packet.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openUpstreamLink } from './link.ts';

const TIMES = { connectMs: 5000, answerMs: 20_000 };
const MANNER = { comeApart: undefined, cuts: 0 };

let sockets: Socket[];
let accept: (socket: Socket) => void;
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on('error', () => socket.destroy());
  accept(socket);
});
let port: number;
beforeEach(async () => {
  sockets = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('more records in a packet than an answer has room for end the connection', async () => {
  // 9,000 records without data: their confirmation would be longer than a packet.
  accept = (socket) => void socket.write(egtsPacket(1, 1, Buffer.alloc(9000 * 7)));
  const link = openUpstreamLink({ host: '127.0.0.1', port }, TIMES, MANNER);
  expect(await link.closed).toEqual({ fault: 'garbled' });
});

it('packets whose confirmations it does not read end the connection', async () => {
  const records = Array.from({ length: 500 }, (_, number) => ({
    ...{ number, service: 4, subrecords: [] },
  }));
  const packet = egtsData(1, records);
  accept = (socket) => {
    socket.pause();
    const more = (): void => {
      while (!socket.destroyed && socket.write(packet)) {}
    };
    socket.on('drain', more);
    more();
  };
  const link = openUpstreamLink({ host: '127.0.0.1', port }, TIMES, MANNER);
  expect(await link.closed).toEqual({ fault: 'no_answer' });
});
