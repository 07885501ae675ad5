// The faults themselves. Each comes in the middle of the sending, and ends when the product is whole again.
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import pg from 'pg';
import { databaseUrl, type Product } from '../../harness/product.ts';

const run = promisify(execFile);

/** A disk small enough to be filled, large enough for a database with its log. */
const DISK = '700m';
const FILL_BYTES = 4 * 1024 * 1024;

/** Kills the database: all of it as a power cut does, or one process, after which it starts anew by itself. */
export async function killDatabase(product: Product, chance: Chance): Promise<void> {
  await product.signalDatabase('SIGKILL', chance.happens(0.5) ? 'all' : 'one');
}

/** Kills the server and starts it again. */
export async function killServer(product: Product): Promise<void> {
  await product.kill();
  await product.restart();
}

/** Stops the database for a while: it takes connections, and says nothing. */
export async function stopDatabase(product: Product, seconds: number): Promise<void> {
  await product.signalDatabase('SIGSTOP');
  await sleep(seconds * 1000);
  await product.signalDatabase('SIGCONT');
}

/** Takes every connection that the database has, the product's too, and holds them for a while. */
export async function takeConnections(product: Product, seconds: number): Promise<number> {
  const url = await databaseUrl(product);
  const taken: pg.Client[] = [];
  const take = async (): Promise<boolean> => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      taken.push(client);
      return true;
    } catch {
      return false;
    }
  };
  while (await take());
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    await taken[0]?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'ridewatch%'`,
    );
    // Connections that the product lets go of are taken before it comes again.
    await Promise.all(Array.from({ length: 40 }, take));
    await sleep(100);
  }
  await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
  return taken.length;
}

/** Mounts a small disk for a product. @returns undefined when that takes rights that we do not have */
export async function mountDisk(folder: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', folder]);
  } catch {
    return undefined;
  }
  return async () => {
    await run('umount', ['--lazy', folder]);
  };
}

/** Fills the disk of a product to its last byte for a while. */
export async function fillDisk({ dataDir }: Product, seconds: number): Promise<void> {
  const name = path.join(dataDir, 'filler');
  const file = await open(name, 'w');
  const bytes = Buffer.alloc(FILL_BYTES, 1);
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail > 0) {
      // The last byte may be taken by somebody else first.
      await file.write(bytes, 0, Math.min(FILL_BYTES, bavail * bsize)).catch(() => undefined);
    } else await sleep(100);
  }
  await file.close();
  await rm(name);
}
