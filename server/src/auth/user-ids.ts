import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';

/**
 * The id of a new user: that of its customer for the first account, else the next one.
 * @param clientId of a locked customer: two first accounts at once would both get its id
 */
export async function nextUserId(tx: Tx, clientId: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case
      when ${clientId}::bigint is null
        or exists (select from users where id = ${clientId}::bigint or client_id = ${clientId}::bigint)
      then nextval('account_ids') else ${clientId}::bigint end as id`.execute(tx);
  const [next] = rows;
  if (next === undefined) throw new Error('The sequence of ids gave none.');
  return next.id;
}
