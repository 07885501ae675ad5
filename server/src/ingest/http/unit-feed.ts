// Keeps batches as received of units that somebody listens to, with the answers, refused ones too.
import type { FastifyRequest } from 'fastify';
import { listen } from '../../core/db/listen.ts';
import type { Deps } from '../../deps.ts';
import { FEED_CHANNEL } from '../../fetching/commands.ts';
import { createFeedWrites } from '../store/feed-writes.ts';
import { type FeedNote, insertFeed } from '../store/unit-feed.ts';
import { LargeBody } from './read-body.ts';

/** Most units that a process listens to. */
const MOST_UNITS = 100;

/** Creates the notes of one process. */
export async function createUnitFeed(deps: Pick<Deps, 'database' | 'clock' | 'log'>) {
  const { clock, log } = deps;
  const { db } = deps.database;
  /** Until when, ms since 1970 UTC. */
  let listened: ReadonlyMap<number, number> = new Map();
  const refresh = async (): Promise<void> => {
    const rows = await db
      .selectFrom('units')
      .select(['id', 'feed_until'])
      .where('feed_until', '>', new Date(clock.nowMs()))
      .limit(MOST_UNITS)
      .execute();
    listened = new Map(rows.map((row) => [row.id, row.feed_until?.getTime() ?? 0]));
  };
  const write = createFeedWrites(deps, (unit, notes) => insertFeed(deps.database, unit, notes));
  const tryRefresh = (): void => {
    refresh().catch((err: unknown) => log.warn({ err }, 'listened units were not read'));
  };
  // Also called after a reconnection, so that a lost notification is made up for.
  const close = await listen(deps, FEED_CHANNEL, tryRefresh);
  tryRefresh();
  return {
    close,
    /** Notes the answer to a batch. Returns at once, and leaves it out when many are being written. */
    note: (request: FastifyRequest, status: number, answer: unknown): void => {
      const unit = request.caller?.unit;
      if (unit === undefined || (listened.get(unit.unitId) ?? 0) <= clock.nowMs()) return;
      write(unit, () => [noteOf(request, status, answer, clock.nowMs())]);
    },
  };
}

function noteOf(
  { body, headers }: FastifyRequest,
  status: number,
  answer: unknown,
  receivedAtMs: number,
): FeedNote {
  const text = textOf(body);
  return {
    receivedAtMs,
    outcome: { status, answer: typeof answer === 'string' ? answer : null },
    bytes: Number(headers['content-length']) || (text?.length ?? 0),
    body: text,
  };
}

function textOf(body: unknown): string | undefined {
  if (body instanceof LargeBody) return body.isPacked ? undefined : body.bytes.toString('utf8');
  // PostgreSQL has no NUL in texts.
  return body === undefined ? undefined : JSON.stringify(body).replaceAll('\\u0000', '\\\\u0000');
}
