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

/** The upstreams that this process holds. */
interface Lease {
  readonly upstreams: readonly HeldUpstream[];
  /** When it is over for this process, ms of the clock that only grows. */
  readonly endMs: number;
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
  /** The ends of senders by upstream, each of which has one sender at a time. */
  const ending = new Map<number, Promise<void>>();
  let lease: Lease | undefined;
  let lost: NodeJS.Timeout | undefined;
  let isStopped = false;

  const isHeld = (): boolean => lease !== undefined && clock.elapsedMs() < lease.endMs;

  // The connection closes at once. The rest waits for the database, and holds up no other upstream.
  function end(id: number): void {
    const one = running.get(id);
    if (one === undefined) return;
    running.delete(id);
    deps.metrics.upstreamLagSeconds.remove(`${id}`);
    deps.metrics.upstreamWaiting.remove(`${id}`);
    const ended = one.stop().then(() => release(id, { isOff: true }));
    ending.set(
      id,
      ended.finally(() => {
        ending.delete(id);
        startHeld();
      }),
    );
  }

  async function release(id: number, which: { readonly isOff: boolean }): Promise<void> {
    try {
      await releaseUpstream(db, id, holder, which);
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'an upstream was not let go');
    }
  }

  function endAll(): void {
    lease = undefined;
    if (running.size === 0) return;
    log.error({ upstreams: running.size }, 'the leases of upstreams run out');
    for (const id of [...running.keys()]) end(id);
  }

  // The lease may have run out while another sender ended.
  function startHeld(): void {
    if (isStopped || lease === undefined || !isHeld()) return;
    for (const upstream of lease.upstreams) {
      if (!running.has(upstream.id) && !ending.has(upstream.id)) start(upstream);
    }
  }

  const start = (upstream: HeldUpstream): void => {
    // It may be at another address by now.
    faults.renew(connectionOf(upstream.id));
    const stop = startSender({ ...deps, faults }, upstream, { holder, isHeld }, times);
    running.set(upstream.id, { version: upstream.version, stop });
  };

  async function look(): Promise<void> {
    // The leases begin when they are asked for.
    const endMs = clock.elapsedMs() + times.lostMs;
    const upstreams = await holdUpstreams(db, holder);
    const leftMs = endMs - clock.elapsedMs();
    clearTimeout(lost);
    if (leftMs <= 0) {
      endAll();
      return;
    }
    lease = { upstreams, endMs };
    if (!isStopped) lost = setTimeout(endAll, leftMs);
    const versions = new Map(upstreams.map(({ id, version }) => [id, version]));
    // One that is not among them is off, or somebody else's by now.
    for (const [id, { version }] of [...running]) if (versions.get(id) !== version) end(id);
    startHeld();
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
    const held = lease?.upstreams.map(({ id }) => id) ?? [];
    const ids = new Set([...held, ...running.keys(), ...ending.keys()]);
    for (const id of running.keys()) end(id);
    await Promise.all(ending.values());
    await Promise.all([...ids].map((id) => release(id, { isOff: false })));
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
