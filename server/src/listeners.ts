import type { Deps, Listener } from './deps.ts';

/** The ports of a process that are not HTTP. */
export interface Listeners {
  /**
   * Opens all of them, one after the other.
   * @throws whatever one of them throws; then those that were open are closed
   */
  start(): Promise<void>;
  /** Closes all of them, the last one first; one that fails is logged and holds up none. Calling it again does no harm. */
  stop(): Promise<void>;
  /** Whether all are open: what `/readyz` says of them. */
  isReady(): boolean;
}

/** @param listeners an explicit list, nothing is found by itself */
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
