import { type RawBuilder, sql } from 'kysely';

/** A unit with older records counts as sending until so long after it was last heard, ms: batches may be minutes apart. */
const SENDING_FOR_MS = 15 * 60_000;

/**
 * Whether a row of `units` is one that still sends older records, from `backlog_from` on. A unit that is not heard any
 * more sends none.
 * @param nowMs ms since 1970 UTC
 */
export function sendsOlder(nowMs: number): RawBuilder<boolean> {
  const heard = new Date(nowMs - SENDING_FOR_MS);
  return sql<boolean>`(backlog_from is not null and last_seen_at > ${heard}::timestamptz)`;
}
