// Receives commands by long-poll. The server delivers a command again until it is acknowledged, so a running command is
// recognized by its id and not started twice.
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { backoffMs } from './backoff.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Timers } from './timers.ts';

const WAIT_S = 25;

/** The requested video is gone: another attempt cannot help. */
export class GoneError extends Error {}

export interface CommandLoopOptions {
  connection: Pick<Connection, 'pollCommands' | 'acknowledge'>;
  timers: Timers;
  /**
   * Executes a command. The message of an error that it throws is the reason in the acknowledgement.
   * @param signal aborted when the unit is switched off or the server cancels the command
   */
  execute: (command: UnitCommand, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  /** Whether the link is up; without a link the unit does not poll. */
  isLinked?: () => boolean;
  onFailure?: (error: Error) => void;
}

/** Polls and executes commands until the signal is aborted; a lost link never makes it throw. */
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
        const work = run(command, options, stop.signal, running).finally(() =>
          running.delete(command.id),
        );
        running.set(command.id, { work, stop });
      }
      // Acknowledgements take a moment: an immediate poll would deliver the same commands again.
      if (commands.length > 0) await timers.sleep(200, signal);
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      onFailure?.(asError(error));
      await timers.sleep(backoffMs(failures), signal);
    }
  }
  await Promise.all([...running.values()].map(({ work }) => work));
}

interface Running {
  readonly work: Promise<void>;
  readonly stop: AbortController;
}

async function run(
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
      if (command.stop === undefined) await options.execute(command, signal);
      else await stopAll(command.stop.commands, running);
    } catch (error) {
      // Switching off and a lost link are no failures: the server delivers the command again. A cancelled command has
      // ended.
      if (signal.aborted || (error instanceof UplinkError && error.isTransient)) return;
      const reason = asError(error).message.slice(0, 255);
      await connection.acknowledge(command.id, 'failed', reason, error instanceof GoneError);
      return;
    }
    await connection.acknowledge(command.id, 'done');
  } catch (error) {
    // 404 and 409: the command has ended for the server, too.
    const over = error instanceof UplinkError && (error.status === 404 || error.status === 409);
    if (!over) onFailure?.(asError(error));
  }
}

// Unknown and finished commands need no stop.
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
