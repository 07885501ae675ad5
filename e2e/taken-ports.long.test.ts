// A port that another program has: the product runs, its administrators are told, and no unit of the demo tells the other
// program where it is.
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import type { AdminOverview } from '@ridewatch/contract/admin-sections';
import type { BusList } from '@ridewatch/contract/buses';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type Product, signIn, startProduct, waitFor } from '../harness/product.ts';

const READY_LIMIT_MS = 100_000;

let heard = 0;
const other = createServer((socket) => {
  heard += 1;
  socket.on('error', () => socket.destroy());
});
let product: Product;
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  ({ port } = other.address() as AddressInfo);
  product = await startProduct({ env: { EGTS_PORT: String(port) } });
});
afterAll(async () => {
  await product?.remove();
  await new Promise((resolve) => other.close(resolve));
});

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
    expect(closed_ports).toEqual([expect.objectContaining({ listener: 'egts', port })]);
    expect(text.match(/^no bus speaks .*$/gm)).toEqual([
      `no bus speaks EGTS: the server could not open port ${port}`,
      'no bus speaks JT/T 808: the server has no port for it',
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
