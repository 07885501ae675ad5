import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from './free-port.ts';

test('a free port is none that outgoing connections of the machine use', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, findFreePort));
  const target = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const client = connect(address.port, '127.0.0.1');
  await once(client, 'connect');
  const used = Math.min(address.port, client.localPort ?? 0);
  client.destroy();
  target.close();
  // The system's own choice for both ends lies above all of them.
  expect(Math.max(...ports)).toBeLessThan(Math.min(used, 32_768));
  expect(Math.min(...ports)).toBeGreaterThan(1024);
});
