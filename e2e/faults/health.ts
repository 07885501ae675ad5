// A fault must not leave these behind: connections, memory, failures that nobody waited for.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl, type Product } from '../../harness/product.ts';

export interface Health {
  /** Open connections of the product to its database. */
  readonly connections: number;
  /** Resident memory of the server, MB. */
  readonly memoryMb: number;
  /** The part of it that the program's own objects take; the system has lent the rest and not asked it back, MB. */
  readonly heapMb: number;
  readonly unhandled: number;
  readonly runnerRestarts: number;
}

/** Connections that nobody uses go after 10 s; before that their number says nothing. */
const REST_MS = 12_000;

/** Looks at a product that has come to rest. */
export async function lookAt(product: Product, restMs = REST_MS): Promise<Health> {
  await sleep(restMs);
  const metrics = await (await fetch(`${product.url}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0);
  const status = await readFile(`/proc/${product.pid()}/status`, 'utf8');
  const client = new pg.Client(await databaseUrl(product));
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name like 'ridewatch%'`,
    );
    return {
      connections: rows[0]?.n ?? 0,
      memoryMb: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024),
      heapMb: Math.round(read('nodejs_heap_size_used_bytes') / 2 ** 20),
      unhandled: read('ridewatch_unhandled_rejections_total'),
      runnerRestarts: read('ridewatch_job_runner_restarts_total'),
    };
  } finally {
    await client.end();
  }
}
