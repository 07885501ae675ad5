// One writer an upload, over all processes: a lease in the upload's row. Who comes second asks the holder to let go
// (after a lost link the unit is back before the server notices), and takes the lease when it is given up or run out.
import { randomUUID } from 'node:crypto';
import type { Lock, Locker } from '@tus/utils';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

const LEASE_S = 15;
const RENEW_MS = 2000;
const RETRY_MS = 100;

/** Locks of resumable uploads, kept in the table `uploads`. */
export function createUploadLocker(db: Db): Locker {
  return { newLock: (id) => createLock(db, id) };
}

function createLock(db: Db, id: string): Lock {
  const holder = randomUUID();
  let renewal: NodeJS.Timeout | undefined;
  const take = async (): Promise<boolean> => {
    const { rows } = await sql`
      update uploads
      set lock_holder = ${holder}, lock_until = now() + make_interval(secs => ${LEASE_S}), lock_wanted = false
      where id = ${id} and (lock_holder is null or lock_until < now() or lock_holder = ${holder})
      returning id`.execute(db);
    return rows.length > 0;
  };
  return {
    lock: async (signal, cancelHolder) => {
      while (!(await take())) {
        const exists =
          await sql`update uploads set lock_wanted = true where id = ${id} returning id`.execute(
            db,
          );
        // The first request of an upload comes before its row.
        if (exists.rows.length === 0) return;
        if (signal.aborted) throw new Error('The request ended while it waited for the upload.');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      renewal = setInterval(() => void renew(db, id, holder, cancelHolder), RENEW_MS);
    },
    unlock: async () => {
      clearInterval(renewal);
      await sql`update uploads set lock_holder = null, lock_until = null, lock_wanted = false
        where id = ${id} and lock_holder = ${holder}`.execute(db);
    },
  };
}

async function renew(
  db: Db,
  id: string,
  holder: string,
  letGo: () => Promise<void> | void,
): Promise<void> {
  const { rows } = await sql<{ lock_wanted: boolean }>`
    update uploads set lock_until = now() + make_interval(secs => ${LEASE_S})
    where id = ${id} and lock_holder = ${holder} returning lock_wanted`.execute(db);
  if (rows[0]?.lock_wanted !== false) await letGo();
}
