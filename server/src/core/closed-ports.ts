import { type ClosedPort, PortFault } from '@ridewatch/contract/admin-unit-ports';
import * as z from 'zod/mini';
import type { Db } from '../core/db/db.ts';

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
