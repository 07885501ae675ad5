import type { PortFault } from '@ridewatch/contract/admin-unit-ports';
import { sql } from 'kysely';
import { noteOpenPort } from './core/closed-ports.ts';
import { PortError } from './core/errors.ts';
import { createFaultLog } from './core/fault-log.ts';
import type { Deps, Listener } from './deps.ts';

/** The ports of a process that are not HTTP. */
export interface Listeners {
  /**
   * Opens all of them in order. One that cannot be had stops neither the others nor the process: it is tried again, and
   * administrators are told meanwhile.
   */
  start(): Promise<void>;
  /** Closes all of them in reverse order. A failure is logged and does not stop the rest. Idempotent. */
  stop(): Promise<void>;
  /** Whether each was tried, for `/readyz`. */
  isReady(): boolean;
}

/** Time between two attempts to open a port, ms. */
const AGAIN_MS = 15_000;
/** A process that wants a port has tried it within so many times that, also where the database is slow. */
const SURELY_TRIED = 2;

/**
 * @param listeners an explicit list; nothing is discovered
 * @param againMs tests wait for less
 */
export function createListeners(
  listeners: readonly Listener[],
  { log, metrics, database, clock }: Pick<Deps, 'log' | 'metrics' | 'database' | 'clock'>,
  againMs = AGAIN_MS,
): Listeners {
  const open: Listener[] = [];
  const waiting = new Set<NodeJS.Timeout>();
  /** Ports that this process has noted as closed, and when it tried each last, by the clock of the database. */
  const closed = new Map<Listener, string>();
  const faults = createFaultLog({ log, clock }, 'error');
  let opening: Promise<unknown> = Promise.resolve();
  let isReady = false;
  let isStopped = false;
  for (const { name } of listeners) metrics.listenersOpen.labels(name).set(0);

  async function tryOpen(listener: Listener): Promise<void> {
    if (isStopped) return;
    try {
      await listener.start();
    } catch (error) {
      const { name } = listener;
      const isPort = error instanceof PortError;
      const fault = isPort ? error.fault : 'other';
      // A port's error says all that the operator needs; of another one the log has the stack.
      const fields = { listener: name, ...(isPort ? { reason: error.message } : { err: error }) };
      faults.fail(name, fault, fields, 'a port cannot be opened');
      await note(listener, fault);
      later(againMs, () => tryOpen(listener));
      return;
    }
    open.push(listener);
    noteOpenPort({ metrics }, listener.name, listener.port, true);
    metrics.listenersOpen.labels(listener.name).set(1);
    faults.work(listener.name, { listener: listener.name }, 'a port is open now');
    await note(listener, null);
  }

  function later(ms: number, work: () => Promise<unknown>): void {
    if (isStopped) return;
    const timer = setTimeout(() => {
      waiting.delete(timer);
      opening = opening.then(work);
    }, ms);
    waiting.add(timer);
  }

  async function note(listener: Listener, reason: PortFault | null): Promise<void> {
    const { name, port } = listener;
    const now = sql<Date>`now()`;
    try {
      if (reason === null) {
        closed.delete(listener);
        await database.db
          .deleteFrom('closed_ports')
          .where('listener', '=', name)
          .where('port', '=', port)
          .execute();
        return;
      }
      const { tried_at } = await database.db
        .insertInto('closed_ports')
        .values({ listener: name, port, reason, since: now, tried_at: now })
        .onConflict((conflict) =>
          conflict.columns(['listener', 'port']).doUpdateSet({ reason, tried_at: now }),
        )
        .returning(sql<string>`tried_at::text`.as('tried_at'))
        .executeTakeFirstOrThrow();
      closed.set(listener, tried_at);
    } catch (err) {
      log.error({ err, listener: name }, 'the state of a port was not noted');
    }
  }

  // Those that another process has tried since are told of still.
  async function forgetOwn(): Promise<void> {
    for (const [{ name, port }, triedAt] of closed) {
      await database.db
        .deleteFrom('closed_ports')
        .where('listener', '=', name)
        .where('port', '=', port)
        .where('tried_at', '=', sql<Date>`${triedAt}::timestamptz`)
        .execute();
    }
  }

  async function forgetUntried(elapsedMs: number): Promise<void> {
    await sql`delete from closed_ports
      where tried_at < now() - ${elapsedMs}::float8 * interval '1 ms'`.execute(database.db);
  }

  const forget = (forgetting: Promise<void>): Promise<void> =>
    forgetting.catch((err) => log.error({ err }, 'closed ports were not forgotten'));

  return {
    start: async () => {
      const startedMs = performance.now();
      for (const listener of listeners) await tryOpen(listener);
      isReady = true;
      // A process that was killed has forgotten nothing, and its successor may want fewer ports.
      later(SURELY_TRIED * againMs, () => forget(forgetUntried(performance.now() - startedMs)));
    },
    stop: async () => {
      isReady = false;
      isStopped = true;
      for (const timer of waiting) clearTimeout(timer);
      await opening;
      await forget(forgetOwn());
      for (const listener of open.splice(0).reverse()) {
        noteOpenPort({ metrics }, listener.name, listener.port, false);
        metrics.listenersOpen.labels(listener.name).set(0);
        try {
          await listener.stop();
        } catch (err) {
          log.error({ err, listener: listener.name }, 'a listener did not close');
        }
      }
    },
    isReady: () => isReady,
  };
}
