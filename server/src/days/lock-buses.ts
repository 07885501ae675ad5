import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { writersOf } from './bus-days.ts';

/** Most times that locks are taken because other units have come to the buses meanwhile. */
const ATTEMPTS = 10;
/** After so long a client may ask again, seconds. */
const RETRY_AFTER_S = 1;

/** Rows that are locked together with buses. */
interface Beside {
  /** Further units, whose batches wait, too. */
  readonly units?: readonly number[];
  /** Buses into which something goes, and whose batches need not wait. */
  readonly places?: readonly number[];
}

/**
 * Locks buses until the transaction ends, and makes their batches wait: units first, as batches and moves do, each in the
 * order of the ids. No unit comes to the buses or leaves them from then on, so locking them once more locks nothing new. Call
 * it before any other row of the fleet is locked.
 * @throws AppError unavailable when units come to the buses time and again
 */
export async function lockBuses(
  tx: Tx,
  busIds: readonly number[],
  { units = [], places = [] }: Beside = {},
): Promise<void> {
  const wanted = sql`${writersOf(busIds)} union select unnest(${[...units]}::bigint[])`;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await sql`savepoint before_buses`.execute(tx);
    const { rows } = await sql<{ id: number }>`
      select id from units where id = any(array(${wanted})) order by id for no key update`.execute(
      tx,
    );
    await sql`
      select from workplaces where id = any(${[...busIds, ...places]}::bigint[])
      order by id for no key update`.execute(tx);
    const locked = rows.map(({ id }) => id);
    // A unit that has come while the buses were waited for may be held by a command that waits for them now.
    const others = await sql`
      select from units where id = any(array(${wanted})) and id <> all(${locked}::bigint[])
      limit 1`.execute(tx);
    if (others.rows.length === 0) {
      await sql`release savepoint before_buses`.execute(tx);
      return;
    }
    // It gives the locks up.
    await sql`rollback to savepoint before_buses`.execute(tx);
  }
  const message = 'Units come to the buses all the time. Try again soon.';
  throw new AppError('unavailable', message, { retryAfterS: RETRY_AFTER_S });
}
