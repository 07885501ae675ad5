// Keeps batches as received of units that somebody listens to, with the answers, refused ones too.
import type { FastifyRequest } from 'fastify';
import { listen } from '../../core/db/listen.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { FEED_CHANNEL } from '../../fetching/commands.ts';
import { insertFeed } from '../store/unit-feed.ts';
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
  const keep = async (
    unit: KnownUnit,
    { body, headers }: FastifyRequest,
    status: number,
    answer: unknown,
  ): Promise<void> => {
    const text = textOf(body);
    await insertFeed(deps.database, unit, [
      {
        receivedAtMs: clock.nowMs(),
        outcome: { status, answer: typeof answer === 'string' ? answer : null },
        bytes: Number(headers['content-length']) || (text?.length ?? 0),
        body: text,
      },
    ]);
  };
  const tryRefresh = (): void => {
    refresh().catch((err: unknown) => log.warn({ err }, 'listened units were not read'));
  };
  // Also called after a reconnection, so that a lost notification is made up for.
  const close = await listen(deps, FEED_CHANNEL, tryRefresh);
  tryRefresh();
  return {
    close,
    /** Notes the answer to a batch. Returns at once. */
    note: (request: FastifyRequest, status: number, answer: unknown): void => {
      const unit = request.caller?.unit;
      if (unit === undefined || (listened.get(unit.unitId) ?? 0) <= clock.nowMs()) return;
      keep(unit, request, status, answer).catch((err: unknown) =>
        log.warn({ err, unitId: unit.unitId }, 'a batch was not kept for its listener'),
      );
    },
  };
}

function textOf(body: unknown): string | undefined {
  if (body instanceof LargeBody) return body.isPacked ? undefined : body.bytes.toString('utf8');
  // PostgreSQL has no NUL in texts.
  return body === undefined ? undefined : JSON.stringify(body).replaceAll('\\u0000', '\\\\u0000');
}
