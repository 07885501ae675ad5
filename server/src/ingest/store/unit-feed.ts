// Keeps what units sent that somebody listens to. It is no part of what they sent: when it fails, that is stored
// nevertheless.
import {
  type FeedFate,
  MOST_FEED_ANSWER,
  MOST_FEED_BODY,
  MOST_FEED_ROWS,
} from '@ridewatch/contract/admin-feed';
import { sql } from 'kysely';
import type { KnownUnit } from '../../core/viewer.ts';
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

/** A unit, and the bus in which it sat when it sent. */
export type ListenedUnit = Pick<KnownUnit, 'unitId' | 'busId'>;

/**
 * Keeps notes of a unit in their order, cut to what is shown; older ones beyond MOST_FEED_ROWS go. Nothing is kept once nobody
 * listens, or the unit sits in another bus: those who listen to it there may not see this one.
 * @throws the database's error
 */
export async function insertFeed(
  { db }: Deps['database'],
  { unitId, busId }: ListenedUnit,
  notes: readonly FeedNote[],
): Promise<void> {
  const latest = notes.slice(-MOST_FEED_ROWS);
  const last = latest.at(-1);
  if (last === undefined) return;
  const rows = latest.map(rowOf);
  const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
  // A move ends first: it holds the row of its unit.
  await sql`
    insert into unit_feed (unit_id, received_at, status, bytes, body, answer)
    select listened.id, received_at, status, bytes, body, answer
    from (select id from units where id = ${unitId} and feed_until > ${new Date(last.receivedAtMs)}
      and workplace_id is not distinct from ${busId}::bigint for share) as listened
    cross join unnest(${column((row) => row.received_at)}::timestamptz[],
      ${column(({ status }) => status)}::int[], ${column((row) => row.bytes)}::int[],
      ${column(({ body }) => body)}::text[], ${column(({ answer }) => answer)}::text[])
      with ordinality as note (received_at, status, bytes, body, answer, n)
    order by n`.execute(db);
  await sql`delete from unit_feed where unit_id = ${unitId} and id <= (
    select id from unit_feed where unit_id = ${unitId}
    order by id desc offset ${MOST_FEED_ROWS} limit 1)`.execute(db);
}

function rowOf({ receivedAtMs, outcome, bytes, body }: FeedNote) {
  const { status, answer } =
    typeof outcome === 'string' ? { status: NO_STATUS, answer: outcome } : outcome;
  return {
    ...{ received_at: new Date(receivedAtMs), status, bytes },
    // PostgreSQL has no NUL in texts.
    body: body?.slice(0, MOST_FEED_BODY).replaceAll('\0', '\\0') ?? null,
    answer: answer?.slice(0, MOST_FEED_ANSWER) ?? null,
  };
}
