import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';

/** Key of the advisory lock of causes. Any constant will do. */
const CAUSES_LOCK = 7_236_521;

/**
 * Waits until no other transaction opens or ends causes, or drops their messages, and keeps the others waiting until
 * this one ends. Otherwise a message could be dropped by the state of its cause just before the cause is opened again.
 */
export async function lockCauses(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CAUSES_LOCK})`.execute(tx);
}
