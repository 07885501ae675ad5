// One listening connection a process wakes the long-polls of all units. A notification may be lost with the
// connection, so everybody who waits also looks for itself now and then.
import pg from 'pg';
import type { Deps } from '../app.ts';
import { COMMANDS_CHANNEL } from '../commands/queries.ts';

const LOOK_AGAIN_MS = 5000;
const RECONNECT_MS = 1000;

export interface CommandListener {
  /** Ends after the time, earlier when there may be a command for the unit, or at once when told to stop. */
  wait(unitId: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Whether the process is shutting down. */
  readonly stopped: boolean;
  stop(): Promise<void>;
}

/** Starts listening for commands. */
export async function createCommandListener({
  database,
  log,
}: Pick<Deps, 'database' | 'log'>): Promise<CommandListener> {
  const waiting = new Map<number, Set<() => void>>();
  let stopped = false;
  let client: pg.Client | undefined;
  const wake = (unitId: number): void => {
    for (const resume of waiting.get(unitId) ?? []) resume();
  };
  const connect = async (): Promise<void> => {
    client = new pg.Client({ connectionString: database.url });
    client.on('notification', ({ payload }) => wake(Number(payload)));
    client.on('error', (error) => {
      log.warn({ err: error }, 'lost the connection that listens for commands');
      if (!stopped) setTimeout(reconnect, RECONNECT_MS).unref();
    });
    await client.connect();
    await client.query(`listen ${COMMANDS_CHANNEL}`);
  };
  const reconnect = (): void => {
    connect().catch((error: unknown) => {
      log.warn({ err: error }, 'cannot listen for commands');
      if (!stopped) setTimeout(reconnect, RECONNECT_MS).unref();
    });
  };
  await connect();
  return {
    get stopped() {
      return stopped;
    },
    wait: (unitId, ms, signal) =>
      new Promise((resolve) => {
        if (stopped || signal.aborted) return resolve();
        const resume = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', resume);
          const others = waiting.get(unitId);
          others?.delete(resume);
          if (others?.size === 0) waiting.delete(unitId);
          resolve();
        };
        const timer = setTimeout(resume, Math.min(ms, LOOK_AGAIN_MS));
        signal.addEventListener('abort', resume, { once: true });
        waiting.set(unitId, (waiting.get(unitId) ?? new Set()).add(resume));
      }),
    stop: async () => {
      stopped = true;
      for (const unitId of [...waiting.keys()]) wake(unitId);
      await client?.end();
    },
  };
}
