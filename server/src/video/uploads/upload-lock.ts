// One writer an upload over all processes: a lease in the upload's row. A second writer asks the holder to release it
// (after a lost link the unit is back before the server notices), and takes the lease when it is released or has
// expired.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker } from '@tus/utils';
import { sql } from 'kysely';
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';

const LEASE_S = 15;
const RENEW_MS = 2000;
const RETRY_MS = 100;
/**
 * Longest wait for a lease, ms. A live holder releases within 5 s: 2 until it is told, 3 to write received bytes; a
 * call has 10 in all.
 */
const LONGEST_WAIT_MS = 8000;
/** A request that waited for the database waits no longer than this for a lease, ms. */
const LONGEST_RELEASE_MS = 1000;

type LockDeps = Pick<Deps, 'database' | 'log'>;

/** Locks of resumable uploads, in the table `uploads`. @param renewMs interval of the lease's renewal */
export function createUploadLocker(deps: LockDeps, { renewMs = RENEW_MS } = {}): Locker {
  return { newLock: (id) => createLock(deps, id, renewMs) };
}

function createLock({ database: { db }, log }: LockDeps, id: string, renewMs: number): Lock {
  const holder = randomUUID();
  let isWanted = true;
  let isRenewing = false;
  let renewal: NodeJS.Timeout | undefined;

  const take = async (): Promise<boolean> => {
    const { rows } = await sql`
      update uploads
      set lock_holder = ${holder}, lock_until = now() + make_interval(secs => ${LEASE_S}), lock_wanted = false
      where id = ${id} and (lock_holder is null or lock_until < now() or lock_holder = ${holder})
      returning id`.execute(db);
    return rows.length > 0;
  };
  const release = async (): Promise<void> => {
    try {
      await sql`update uploads set lock_holder = null, lock_until = null, lock_wanted = false
        where id = ${id} and lock_holder = ${holder}`.execute(db);
    } catch (error) {
      log.warn(
        { uploadId: id, err: error },
        'the lease of an upload was not given up; it runs out',
      );
    }
  };
  // At the pace of a slow database: concurrent renewals would use up its connections.
  const renew = async (letGo: () => Promise<void> | void): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      const { rows } = await sql<{ lock_wanted: boolean }>`
        update uploads set lock_until = now() + make_interval(secs => ${LEASE_S})
        where id = ${id} and lock_holder = ${holder} returning lock_wanted`.execute(db);
      if (isWanted && rows[0]?.lock_wanted !== false) await letGo();
    } catch (error) {
      log.warn({ uploadId: id, err: error }, 'the lease of an upload was not renewed');
    } finally {
      isRenewing = false;
    }
  };
  const acquire = async (signal: AbortSignal, letGo: () => Promise<void> | void): Promise<void> => {
    while (!(await take())) {
      const exists =
        await sql`update uploads set lock_wanted = true where id = ${id} returning id`.execute(db);
      // The first request of an upload comes before its row exists.
      if (exists.rows.length === 0 || !isWanted) return;
      if (signal.aborted) throw ERRORS.ABORTED;
      await sleep(RETRY_MS);
    }
    if (isWanted) renewal = setInterval(() => void renew(letGo), renewMs);
    else await release();
  };
  return {
    lock: async (signal, letGo) => {
      if (await isOverIn(LONGEST_WAIT_MS, acquire(signal, letGo))) return;
      isWanted = false;
      throw new AppError('unavailable', 'Another request still holds the lease of this upload.');
    },
    unlock: async () => {
      isWanted = false;
      clearInterval(renewal);
      if (renewal !== undefined) await isOverIn(LONGEST_RELEASE_MS, release());
    },
  };
}

/** Waits for work up to a limit, ms. The work goes on, and its result is then ignored. @throws what work throws */
async function isOverIn(limitMs: number, work: Promise<void>): Promise<boolean> {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      work.then(() => true),
      sleep(limitMs, false, { signal: waiting.signal }),
    ]);
  } finally {
    waiting.abort();
  }
}
