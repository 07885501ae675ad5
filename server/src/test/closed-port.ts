import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/**
 * Notes that another program has a port, as a process does that cannot open it.
 * @param listener its name
 * @returns notes that it is open again
 */
export async function closePort(
  { database }: Pick<Deps, 'database'>,
  listener: string,
  port: number,
): Promise<() => Promise<void>> {
  const now = sql<Date>`now()`;
  await database.db
    .insertInto('closed_ports')
    .values({ listener, port, reason: 'taken', since: now, tried_at: now })
    .execute();
  return async () => {
    await database.db
      .deleteFrom('closed_ports')
      .where('listener', '=', listener)
      .where('port', '=', port)
      .execute();
  };
}
