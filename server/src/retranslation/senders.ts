// The senders of one process of the role `worker`: one for each upstream that it holds.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { reasonOf } from '../core/errors.ts';
import type { Deps } from '../deps.ts';
import { type HeldUpstream, holdUpstreams, LEASE_MS, releaseUpstream } from './leases.ts';
import type { SenderTimes } from './send-all.ts';
import { SENDER_TIMES, startSender } from './sender.ts';
import { waitingOf } from './waiting.ts';

/** How often leases are renewed and changes are noticed, ms. */
const BEAT_MS = 5000;
/** Without a renewal for so long, also while one is under way, others may soon take over: it stops, ms. */
const LOST_MS = LEASE_MS - 2 * BEAT_MS;

/** The times of senders and of their leases, ms. */
export interface SendersTimes extends SenderTimes {
  /** How often leases are renewed. */
  readonly beatMs: number;
  /** Without a renewal for this long all senders stop. */
  readonly lostMs: number;
}

interface Running {
  readonly version: number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts to pass records on.
 * @param times tests wait for less
 * @returns stops all senders, and lets go of their upstreams
 */
export function startSenders(
  deps: Pick<Deps, 'database' | 'clock' | 'log' | 'metrics'>,
  times: SendersTimes = { ...SENDER_TIMES, beatMs: BEAT_MS, lostMs: LOST_MS },
): () => Promise<void> {
  const { clock, log } = deps;
  const { db } = deps.database;
  const holder = randomUUID();
  const running = new Map<number, Running>();
  let lost: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function stopOne(id: number): Promise<void> {
    const one = running.get(id);
    running.delete(id);
    await one?.stop();
    deps.metrics.upstreamLagSeconds.remove(`${id}`);
    deps.metrics.upstreamWaiting.remove(`${id}`);
  }

  // Their connections close at once; the database is told when it answers.
  async function stopAll(): Promise<void> {
    log.error({ upstreams: running.size }, 'the leases of upstreams run out');
    await Promise.all([...running.keys()].map(stopOne));
  }

  const start = (upstream: HeldUpstream): void => {
    const stop = startSender(deps, upstream, holder, times);
    running.set(upstream.id, { version: upstream.version, stop });
  };

  async function look(): Promise<void> {
    const held = await holdUpstreams(db, holder, clock.nowMs());
    clearTimeout(lost);
    if (!isStopped) lost = setTimeout(() => void stopAll(), times.lostMs);
    const byId = new Map(held.map((upstream) => [upstream.id, upstream]));
    for (const [id, { version }] of [...running]) {
      if (byId.get(id)?.version === version) continue;
      await stopOne(id);
      // One that is off, or somebody else's by now.
      if (!byId.has(id)) await releaseUpstream(db, id, holder);
    }
    for (const upstream of held) if (!running.has(upstream.id)) start(upstream);
    await showWaiting(deps, db, [...byId.keys()]);
  }

  async function beat(): Promise<void> {
    try {
      await look();
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'the leases of upstreams were not renewed');
    }
  }

  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const go = (): void => {
    beating = beat().then(() => {
      if (!isStopped) timer = setTimeout(go, times.beatMs);
    });
  };
  go();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await beating;
    clearTimeout(lost);
    for (const id of [...running.keys()]) {
      await stopOne(id);
      await releaseUpstream(db, id, holder).catch((error: unknown) =>
        log.error({ reason: reasonOf(error) }, 'an upstream was not let go'),
      );
    }
  };
}

async function showWaiting(
  { metrics, clock }: Pick<Deps, 'metrics' | 'clock'>,
  db: Db,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; waiting: number; since: Date | null }>`
    select id, waiting.records as waiting, waiting.since
    from upstreams cross join lateral ${waitingOf(sql.ref('upstreams.id'))} as waiting
    where id = any(${[...ids]}::bigint[])`.execute(db);
  for (const { id, waiting, since } of rows) {
    const lagMs = since === null ? 0 : clock.nowMs() - since.getTime();
    metrics.upstreamLagSeconds.labels(`${id}`).set(Math.max(0, lagMs / 1000));
    metrics.upstreamWaiting.labels(`${id}`).set(waiting);
  }
}
