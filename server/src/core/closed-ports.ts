import { type ClosedPort, PortFault } from '@ridewatch/contract/admin-unit-ports';
import * as z from 'zod/mini';
import type { Db } from './db/db.ts';

/** A process tries a closed port each 15 s, ms. */
const TRIED_MS = 2 * 60_000;

/** A process of an older version notes a sentence. */
const Reason = z.catch(PortFault, 'other');

/**
 * Lists the ports of unit protocols that cannot be opened. One that no process has tried lately is wanted no more.
 * @param nowMs ms since 1970 UTC
 */
export async function listClosedPorts(db: Db, nowMs: number): Promise<ClosedPort[]> {
  const rows = await db
    .selectFrom('closed_ports')
    .select(['listener', 'port', 'reason'])
    .where('tried_at', '>', new Date(nowMs - TRIED_MS))
    .orderBy('listener')
    .orderBy('port')
    .execute();
  return rows.map((row) => ({ ...row, reason: Reason.parse(row.reason) }));
}

/**
 * Whether a process could not open a port lately: then another program may have it, and nobody is sent there.
 * @param name of its listener
 * @param nowMs ms since 1970 UTC
 */
export async function isPortClosed(
  db: Db,
  name: string,
  port: number,
  nowMs: number,
): Promise<boolean> {
  const closed = await listClosedPorts(db, nowMs);
  return closed.some((one) => one.listener === name && one.port === port);
}
