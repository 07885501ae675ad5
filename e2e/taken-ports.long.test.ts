// Ports that another program has: the product runs, its administrators are told, and no unit of the demo tells the other
// program where it is.
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import type { AdminOverview } from '@ridewatch/contract/admin-sections';
import type { BusList } from '@ridewatch/contract/buses';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type Product, signIn, startProduct, waitFor } from '../harness/product.ts';

const READY_LIMIT_MS = 100_000;

let heard = 0;
const others: Record<'egts' | 'jt808' | 'jt1078' | 'ftp', Server> = {
  egts: createOther(),
  jt808: createOther(),
  jt1078: createOther(),
  ftp: createOther(),
};
let product: Product;
const portOf = (listener: keyof typeof others): number =>
  (others[listener].address() as AddressInfo).port;
beforeAll(async () => {
  for (const other of Object.values(others)) {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  }
  product = await startProduct({
    env: {
      EGTS_PORT: String(portOf('egts')),
      JT808_PORT: String(portOf('jt808')),
      JT1078_PORT: String(portOf('jt1078')),
      FTP_PORT: String(portOf('ftp')),
    },
  });
});
afterAll(async () => {
  await product?.remove();
  for (const other of Object.values(others)) await new Promise((resolve) => other.close(resolve));
});

function createOther(): Server {
  return createServer((socket) => {
    heard += 1;
    socket.on('error', () => socket.destroy());
  });
}

it('leaves out the buses of these protocols, says so once, and goes on with the others', async () => {
  const fleet = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../unit/src/simulated/main.ts'),
      ...['--url', product.url, '--buses', '1', '--days', '0', '--protocols'],
      ...['--password', 'demo', '--data', product.dataDir],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => fleet.once('exit', resolve));
  let text = '';
  fleet.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  try {
    await waitFor(async () => /^ready$/m.test(text), 'the fleet', READY_LIMIT_MS);
    const token = await signIn(product.url, 'admin');
    const { closed_ports } = await ask<AdminOverview>(product.url, token, 'GET', '/api/admin');
    const told = closed_ports.map(({ listener, port }) => `${listener} ${port}`);
    const taken = (['egts', 'ftp', 'jt1078', 'jt808'] as const).map(
      (one) => `${one} ${portOf(one)}`,
    );
    expect(told.toSorted()).toEqual(taken);
    expect(text.match(/^no bus speaks .*$/gm)).toEqual([
      `no bus speaks EGTS: the server could not open port ${portOf('egts')}`,
      `no bus speaks JT/T 808: the server could not open port ${portOf('jt808')}`,
    ]);
    const { items } = await ask<BusList>(product.url, token, 'GET', '/api/bus_list');
    const heardBuses = items.filter(({ last_seen_at }) => last_seen_at !== null);
    expect(heardBuses.map(({ group_device_id }) => group_device_id).sort()).toEqual([
      'SIM-000001',
      'SIM-OSMAND',
    ]);
    expect(items).toHaveLength(heardBuses.length);
    expect(heard).toBe(0);
  } finally {
    fleet.kill('SIGTERM');
    await ended;
  }
});
