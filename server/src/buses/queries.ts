import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** Where processes tell each other that a bus, its route or its cameras changed. */
export const BUSES_CHANNEL = 'ridewatch_buses';

/** Tells every process that cached bus lists are out of date; heard when the transaction commits. */
export async function announceBusChange(tx: Db): Promise<void> {
  await sql`select pg_notify(${BUSES_CHANNEL}, '')`.execute(tx);
}
