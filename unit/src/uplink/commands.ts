// Waits for commands by long-poll. A command is shown again until it is acknowledged, so one that is being worked on
// is known by its id and not begun twice.
import type { UnitCommand } from '@ridewatch/contract/unit';
import { backOffMs } from './backoff.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Timers } from './timers.ts';

const WAIT_S = 25;

/** What was asked for is not there any more: asking again cannot help. */
export class GoneError extends Error {}

export interface CommandLoopOptions {
  connection: Pick<Connection, 'pollCommands' | 'acknowledge'>;
  timers: Timers;
  /**
   * Does what the command asks; what it throws is told to the server as the reason.
   * @param signal fires when the unit is switched off, or the server has taken the command back
   */
  carryOut: (command: UnitCommand, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  /** Whether the link is up at the moment; a unit without one does not ask. */
  isLinked?: () => boolean;
  onFailure?: (error: Error) => void;
}

/** Runs until the signal fires; never throws for a lost link. */
export async function runCommandLoop(options: CommandLoopOptions): Promise<void> {
  const { connection, timers, signal, onFailure } = options;
  const running = new Map<number, Running>();
  let failures = 0;
  while (!signal.aborted) {
    if (options.isLinked?.() === false) {
      await timers.sleep(1000, signal);
      continue;
    }
    try {
      const commands = await connection.pollCommands(WAIT_S, signal);
      failures = 0;
      for (const command of commands) {
        if (running.has(command.id)) continue;
        const stop = new AbortController();
        const work = obey(command, options, stop.signal, running).finally(() =>
          running.delete(command.id),
        );
        running.set(command.id, { work, stop });
      }
      // Acknowledged only after a moment: asking at once would show the same commands again.
      if (commands.length > 0) await timers.sleep(200, signal);
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      onFailure?.(asError(error));
      await timers.sleep(backOffMs(failures), signal);
    }
  }
  await Promise.all([...running.values()].map(({ work }) => work));
}

interface Running {
  readonly work: Promise<void>;
  readonly stop: AbortController;
}

async function obey(
  command: UnitCommand,
  options: CommandLoopOptions,
  stopped: AbortSignal,
  running: ReadonlyMap<number, Running>,
): Promise<void> {
  const { connection, onFailure } = options;
  const signal = AbortSignal.any([options.signal, stopped]);
  try {
    await connection.acknowledge(command.id, 'accepted');
    try {
      if (command.stop === undefined) await options.carryOut(command, signal);
      else await stopAll(command.stop.commands, running);
    } catch (error) {
      // A unit that is being switched off, or whose link is lost, has not failed: it is told the command again. What was
      // taken back is over.
      if (signal.aborted || (error instanceof UplinkError && error.mayPass)) return;
      const reason = asError(error).message.slice(0, 255);
      await connection.acknowledge(command.id, 'failed', reason, error instanceof GoneError);
      return;
    }
    await connection.acknowledge(command.id, 'done');
  } catch (error) {
    // 404 and 409: the command is over for the server too.
    const over = error instanceof UplinkError && (error.status === 404 || error.status === 409);
    if (!over) onFailure?.(asError(error));
  }
}

// What was not heard of, or is done, needs no stop.
async function stopAll(ids: readonly number[], running: ReadonlyMap<number, Running>) {
  const works = ids.map((id) => {
    const one = running.get(id);
    one?.stop.abort();
    return one?.work;
  });
  await Promise.all(works);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
