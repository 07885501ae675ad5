// The long polls of all units of a process. The database wakes them when there is a command.

import { listen } from '../../core/db/listen.ts';
import type { Deps } from '../../deps.ts';
import { COMMANDS_CHANNEL } from '../../fetching/commands.ts';

/** A notification may be lost, so every poll also looks again. */
const LOOK_AGAIN_MS = 5000;
/** Polls of one unit that wait in a process: its own, and one whose connection broke without the server's knowledge. */
const MOST_POLLS = 2;

/** One request that waits for commands. */
export interface CommandPoll {
  /** Whether it is to be answered now: a newer poll took its place, its connection is gone, or the process stops. */
  readonly isEnded: boolean;
  /**
   * Waits until there may be a command that the last look did not see.
   * @param ms longest wait
   */
  wait(ms: number): Promise<void>;
  /** Ends it; call it once the request is answered or gone. */
  end(): void;
}

export interface CommandListener {
  /** Begins a poll. Beyond two of the unit, its oldest one ends. */
  open(unitId: number): CommandPoll;
  /** Whether the process is shutting down. */
  readonly stopped: boolean;
  stop(): Promise<void>;
}

interface OpenPoll extends CommandPoll {
  /** There may be a command. */
  ring(): void;
}

/** Starts listening for commands. */
export async function createCommandListener(
  deps: Pick<Deps, 'database' | 'log' | 'clock'>,
): Promise<CommandListener> {
  // Each set is in the order of arrival.
  const polls = new Map<number, Set<OpenPoll>>();
  let stopped = false;
  const stopListening = await listen(deps, COMMANDS_CHANNEL, (unitId) => {
    const rung = unitId === '' ? [...polls.values()] : [polls.get(Number(unitId)) ?? []];
    for (const some of rung) for (const poll of some) poll.ring();
  });
  const remove = (unitId: number, poll: OpenPoll): void => {
    const others = polls.get(unitId);
    others?.delete(poll);
    if (others?.size === 0) polls.delete(unitId);
  };
  return {
    get stopped() {
      return stopped;
    },
    open: (unitId) => {
      const poll = createPoll(() => remove(unitId, poll));
      if (stopped) poll.end();
      else {
        const others = polls.get(unitId) ?? new Set();
        polls.set(unitId, others.add(poll));
        const [oldest] = others;
        if (others.size > MOST_POLLS) oldest?.end();
      }
      return poll;
    },
    stop: async () => {
      stopped = true;
      for (const some of [...polls.values()]) for (const poll of [...some]) poll.end();
      await stopListening();
    },
  };
}

function createPoll(onEnd: () => void): OpenPoll {
  let isEnded = false;
  // A command may come while the poll looks for commands: then its next wait is over at once.
  let isRung = false;
  let resume: (() => void) | undefined;
  return {
    get isEnded() {
      return isEnded;
    },
    ring: () => {
      isRung = true;
      resume?.();
    },
    end: () => {
      isEnded = true;
      resume?.();
      onEnd();
    },
    wait: async (ms) => {
      if (!isRung && !isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(ms, LOOK_AGAIN_MS));
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        resume = undefined;
      }
      isRung = false;
    },
  };
}
