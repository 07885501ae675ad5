import type { PortFault } from '@ridewatch/contract/admin-unit-ports';
import { PortError } from './core/errors.ts';
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
  let opening: Promise<unknown> = Promise.resolve();
  let isReady = false;
  let isStopped = false;
  for (const { name } of listeners) metrics.listenersOpen.labels(name).set(0);

  async function tryOpen(listener: Listener): Promise<void> {
    if (isStopped) return;
    try {
      await listener.start();
    } catch (error) {
      log.error({ err: error, listener: listener.name }, 'a port cannot be opened');
      await note(listener, error instanceof PortError ? error.fault : 'other');
      if (isStopped) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        opening = opening.then(() => tryOpen(listener));
      }, againMs);
      waiting.add(timer);
      return;
    }
    open.push(listener);
    metrics.listenersOpen.labels(listener.name).set(1);
    await note(listener, null);
  }

  async function note({ name, port }: Listener, reason: PortFault | null): Promise<void> {
    const triedAt = new Date(clock.nowMs());
    try {
      if (reason === null) {
        await database.db
          .deleteFrom('closed_ports')
          .where('listener', '=', name)
          .where('port', '=', port)
          .execute();
        return;
      }
      await database.db
        .insertInto('closed_ports')
        .values({ listener: name, port, reason, since: triedAt, tried_at: triedAt })
        .onConflict((conflict) =>
          conflict.columns(['listener', 'port']).doUpdateSet({ reason, tried_at: triedAt }),
        )
        .execute();
    } catch (err) {
      log.error({ err, listener: name }, 'the state of a port was not noted');
    }
  }

  return {
    start: async () => {
      for (const listener of listeners) await tryOpen(listener);
      isReady = true;
    },
    stop: async () => {
      isReady = false;
      isStopped = true;
      for (const timer of waiting) clearTimeout(timer);
      await opening;
      for (const listener of open.splice(0).reverse()) {
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
