import { type ClosedPort, PortFault } from '@ridewatch/contract/admin-unit-ports';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { CoreDeps } from './core-deps.ts';
import type { Db } from './db/db.ts';

/** A process tries a closed port each 15 s, ms. */
const TRIED_MS = 2 * 60_000;

/** A process of an older version notes a sentence. */
const Reason = z.catch(PortFault, 'other');

/**
 * Lists the ports of unit protocols that cannot be opened. One that no process has tried lately is wanted no more: `tried_at` is
 * a moment of the database, because the process that reads it may have another clock.
 */
export async function listClosedPorts(db: Db): Promise<ClosedPort[]> {
  const rows = await db
    .selectFrom('closed_ports')
    .select(['listener', 'port', 'reason'])
    .where('tried_at', '>', sql<Date>`now() - ${TRIED_MS}::float8 * interval '1 ms'`)
    .orderBy('listener')
    .orderBy('port')
    .execute();
  return rows.map((row) => ({ ...row, reason: Reason.parse(row.reason) }));
}

/** The open ports of each process, which has one set of metrics. */
const openPorts = new WeakMap<CoreDeps['metrics'], Set<string>>();

/**
 * Notes that this process has a port, or has closed it.
 * @param name of its listener
 */
export function noteOpenPort(
  { metrics }: Pick<CoreDeps, 'metrics'>,
  name: string,
  port: number,
  isOpen: boolean,
): void {
  const own = openPorts.get(metrics) ?? new Set();
  openPorts.set(metrics, own);
  if (isOpen) own.add(`${name} ${port}`);
  else own.delete(`${name} ${port}`);
}

/**
 * Whether a port is closed: this process does not have it, and one could not open it lately. Then another program may
 * have it, and nobody is sent there.
 * @param name of its listener
 */
export async function isPortClosed(
  { database, metrics }: Pick<CoreDeps, 'database' | 'metrics'>,
  name: string,
  port: number,
): Promise<boolean> {
  if (openPorts.get(metrics)?.has(`${name} ${port}`) === true) return false;
  const closed = await listClosedPorts(database.db);
  return closed.some((one) => one.listener === name && one.port === port);
}
