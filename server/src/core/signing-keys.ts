import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './db/db.ts';

/** The secrets of one purpose by number; new signatures use the current one. */
export interface TokenKeys {
  readonly currentId: number;
  readonly secrets: ReadonlyMap<number, Buffer>;
}

/**
 * Reads the keys of one purpose, and creates the first one on an empty installation.
 * @param nowMs when it is created
 */
export async function loadKeys(
  db: Db,
  purpose: 'access_token' | 'video' | 'jt808_code',
  nowMs: number,
): Promise<TokenKeys> {
  const rows = await db.transaction().execute(async (tx) => {
    // Two processes that start at once must not create two first keys.
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
    const find = () =>
      tx
        .selectFrom('signing_keys')
        .select(['id', 'secret'])
        .where('purpose', '=', purpose)
        .where('retired_at', 'is', null)
        .orderBy('id')
        .execute();
    const found = await find();
    if (found.length > 0) return found;
    await tx
      .insertInto('signing_keys')
      .values({ purpose, secret: randomBytes(32), created_at: new Date(nowMs) })
      .execute();
    return find();
  });
  const newest = rows.at(-1);
  if (newest === undefined) throw new Error(`There is no signing key for ${purpose}.`);
  return { currentId: newest.id, secrets: new Map(rows.map((row) => [row.id, row.secret])) };
}
