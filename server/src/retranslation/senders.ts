// The senders of one process of the role `worker`: one for each upstream that it holds.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { reasonOf } from '../core/errors.ts';
import { createFaultLog } from '../core/fault-log.ts';
import type { Deps } from '../deps.ts';
import { type HeldUpstream, holdUpstreams, LEASE_MS, releaseUpstream } from './leases.ts';
import { connectionOf, type SenderTimes } from './send-all.ts';
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
  const faults = createFaultLog(deps);
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
    // It may be at another address by now.
    faults.renew(connectionOf(upstream.id));
    const stop = startSender({ ...deps, faults }, upstream, holder, times);
    running.set(upstream.id, { version: upstream.version, stop });
  };

  async function look(): Promise<void> {
    const askedMs = clock.elapsedMs();
    const held = await holdUpstreams(db, holder);
    // The leases began when they were asked for. Too late an answer is worth nothing: all senders have stopped.
    const leftMs = times.lostMs - (clock.elapsedMs() - askedMs);
    if (leftMs <= 0) return;
    clearTimeout(lost);
    if (!isStopped) lost = setTimeout(() => void stopAll(), leftMs);
    const byId = new Map(held.map((upstream) => [upstream.id, upstream]));
    for (const [id, { version }] of [...running]) {
      if (byId.get(id)?.version === version) continue;
      await stopOne(id);
      // One that is off, or somebody else's by now.
      if (!byId.has(id)) await releaseUpstream(db, id, holder);
    }
    for (const upstream of held) if (!running.has(upstream.id)) start(upstream);
    show();
  }

  // By itself: it may take as long as a statement may, and no lease waits for it.
  let showing: Promise<void> | undefined;
  function show(): void {
    const text = 'what waits for upstreams was not counted';
    showing ??= showWaiting(deps, db, [...running.keys()], (id) => running.has(id))
      .then(
        () => faults.work('waiting', {}, 'what waits for upstreams is counted again'),
        (error: unknown) => faults.fail('waiting', text, { reason: reasonOf(error) }, text),
      )
      .finally(() => {
        showing = undefined;
      });
  }

  async function beat(): Promise<void> {
    try {
      await look();
      faults.work('leases', {}, 'the leases of upstreams are renewed again');
    } catch (error) {
      const text = 'the leases of upstreams were not renewed';
      faults.fail('leases', text, { reason: reasonOf(error) }, text);
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
    await showing;
  };
}

async function showWaiting(
  { metrics, clock }: Pick<Deps, 'metrics' | 'clock'>,
  db: Db,
  ids: readonly number[],
  isShown: (id: number) => boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; waiting: number; since: Date | null }>`
    select id, waiting.records as waiting, waiting.since
    from upstreams cross join lateral ${waitingOf(sql.ref('upstreams.id'))} as waiting
    where id = any(${[...ids]}::bigint[])`.execute(db);
  for (const { id, waiting, since } of rows) {
    if (!isShown(id)) continue;
    const lagMs = since === null ? 0 : clock.nowMs() - since.getTime();
    metrics.upstreamLagSeconds.labels(`${id}`).set(Math.max(0, lagMs / 1000));
    metrics.upstreamWaiting.labels(`${id}`).set(waiting);
  }
}
