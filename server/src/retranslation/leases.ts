// A process sends to an upstream under a lease on its row, which it renews while it lives; that of a process that died runs
// out. Only the database's clock says how long it lasts. By its own clock a process writes no packet later than 20 s after it
// asked for the lease. That clock stands while a machine is suspended: one that wakes up may send up to four packets beside
// another process. No result is noted without the lease, and the connection ends with the first one.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { SentUpstream } from './send-all.ts';

/** A lease lasts so long, ms; it is renewed several times meanwhile. */
export const LEASE_MS = 30_000;

/** An upstream that this process holds. */
export interface HeldUpstream extends SentUpstream {
  /** Another one means that somebody has changed it. */
  readonly version: number;
}

/**
 * Takes the upstreams that are switched on and that nobody holds, and renews the own ones. It waits for the rows of the own
 * ones, which this process itself locks while it notes a result, and a unit that moves; locked rows of others it leaves out.
 * @returns the own ones that are on
 */
export async function holdUpstreams(db: Db, holder: string): Promise<readonly HeldUpstream[]> {
  const { rows } = await sql<HeldUpstream>`
    with own as (
      select id from upstreams where enabled and holder = ${holder} order by id for no key update
    ),
    free as (
      select id from upstreams
      where enabled and holder is distinct from ${holder}
        and (holder is null or held_until <= now())
        -- Own ones are locked first: nothing is waited for afterwards.
        and (select count(*) from own) >= 0
      order by id for no key update skip locked
    )
    update upstreams set holder = ${holder}, held_until = now() + ${LEASE_MS}::float8 * interval '1 ms'
    where id = any(array(select id from own union all select id from free))
    returning id, host, port, sign_in as "signIn", sign_in_id as "signInId",
      sign_in_text as "signInText", all_clients as "allClients", with_people as "withPeople",
      version`.execute(db);
  return rows;
}

/**
 * Lets go of an upstream, so that another process may take it at once.
 * @param which `isOff`: only one that is switched off; the process may have taken one that is on again meanwhile
 * @throws the database's error
 */
export async function releaseUpstream(
  db: Db,
  id: number,
  holder: string,
  { isOff }: { readonly isOff: boolean },
): Promise<void> {
  await db
    .updateTable('upstreams')
    .set({ holder: null, held_until: null, connected_since: null, next_try_at: null })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .$if(isOff, (query) => query.where('enabled', '=', false))
    .execute();
}
