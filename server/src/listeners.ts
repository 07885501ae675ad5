import type { Deps, Listener } from './deps.ts';

/** The ports of a process that are not HTTP. */
export interface Listeners {
  /** Opens all of them in order. @throws the error of the first that fails; the others are closed again */
  start(): Promise<void>;
  /** Closes all of them in reverse order. A failure is logged and does not stop the rest. Idempotent. */
  stop(): Promise<void>;
  /** Whether all are open, for `/readyz`. */
  isReady(): boolean;
}

/** @param listeners an explicit list; nothing is discovered */
export function createListeners(
  listeners: readonly Listener[],
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
): Listeners {
  const open: Listener[] = [];
  let isReady = false;
  for (const { name } of listeners) metrics.listenersOpen.labels(name).set(0);
  const stop = async (): Promise<void> => {
    isReady = false;
    for (const listener of open.splice(0).reverse()) {
      metrics.listenersOpen.labels(listener.name).set(0);
      try {
        await listener.stop();
      } catch (err) {
        log.error({ err, listener: listener.name }, 'a listener did not close');
      }
    }
  };
  return {
    start: async () => {
      try {
        for (const listener of listeners) {
          await listener.start();
          open.push(listener);
          metrics.listenersOpen.labels(listener.name).set(1);
        }
      } catch (error) {
        await stop();
        throw error;
      }
      isReady = true;
    },
    stop,
    isReady: () => isReady,
  };
}
