// The long-polls of all units of a process; a notification of the database wakes them.

import { listen } from '../../core/db/listen.ts';
import type { Deps } from '../../deps.ts';
import { COMMANDS_CHANNEL } from '../../fetching/commands.ts';

/** A notification may be lost, so every waiting request also polls. */
const LOOK_AGAIN_MS = 5000;

export interface CommandListener {
  /** Ends at the timeout, earlier when the unit may have a command, and at once on shutdown. */
  wait(unitId: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Whether the process is shutting down. */
  readonly stopped: boolean;
  stop(): Promise<void>;
}

/** Starts listening for commands. */
export async function createCommandListener(
  deps: Pick<Deps, 'database' | 'log'>,
): Promise<CommandListener> {
  const waiting = new Map<number, Set<() => void>>();
  let stopped = false;
  const wakeAll = (): void => {
    for (const resumes of waiting.values()) for (const resume of [...resumes]) resume();
  };
  const stopListening = await listen(deps, COMMANDS_CHANNEL, (unitId) => {
    if (unitId === '') return wakeAll();
    for (const resume of [...(waiting.get(Number(unitId)) ?? [])]) resume();
  });
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
      wakeAll();
      await stopListening();
    },
  };
}
