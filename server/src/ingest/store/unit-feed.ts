// Keeps what units sent that somebody listens to. It is no part of what they sent: when it fails, that is stored
// nevertheless.
import {
  type FeedFate,
  MOST_FEED_ANSWER,
  MOST_FEED_BODY,
  MOST_FEED_ROWS,
} from '@ridewatch/contract/admin-feed';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { NO_STATUS } from '../../fetching/commands.ts';

/** A batch with the answer, or a message in another protocol with its fate. */
export interface FeedNote {
  /** The server's clock at arrival, ms since 1970 UTC. */
  readonly receivedAtMs: number;
  /** Status and text of the answer, or the fate. */
  readonly outcome: { readonly status: number; readonly answer: string | null } | FeedFate;
  readonly bytes: number;
  /** As it came; bytes that are no text in hexadecimal digits. Undefined: it could not be read. */
  readonly body: string | undefined;
}

/**
 * Keeps notes of a unit in their order, cut to what is shown; older ones beyond MOST_FEED_ROWS go.
 * @throws the database's error
 */
export async function insertFeed(
  { db }: Deps['database'],
  unitId: number,
  notes: readonly FeedNote[],
): Promise<void> {
  const latest = notes.slice(-MOST_FEED_ROWS);
  if (latest.length === 0) return;
  await db
    .insertInto('unit_feed')
    .values(latest.map((note) => rowOf(unitId, note)))
    .execute();
  await sql`delete from unit_feed where unit_id = ${unitId} and id <= (
    select id from unit_feed where unit_id = ${unitId}
    order by id desc offset ${MOST_FEED_ROWS} limit 1)`.execute(db);
}

function rowOf(unitId: number, { receivedAtMs, outcome, bytes, body }: FeedNote) {
  const { status, answer } =
    typeof outcome === 'string' ? { status: NO_STATUS, answer: outcome } : outcome;
  return {
    ...{ unit_id: unitId, received_at: new Date(receivedAtMs), status, bytes },
    // PostgreSQL has no NUL in texts.
    body: body?.slice(0, MOST_FEED_BODY).replaceAll('\0', '\\0') ?? null,
    answer: answer?.slice(0, MOST_FEED_ANSWER) ?? null,
  };
}
