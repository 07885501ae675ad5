import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** Channel of notifications that a bus, its route or its cameras changed. */
export const BUSES_CHANNEL = 'ridewatch_buses';

/** Invalidates the cached bus lists of every process when the transaction commits. */
export async function announceBusChange(tx: Db): Promise<void> {
  await sql`select pg_notify(${BUSES_CHANNEL}, '')`.execute(tx);
}
