// Waits for commands by long-poll. A command is shown again until it is acknowledged, so one that is being worked on
// is known by its id and not begun twice.
import type { UnitCommand } from '@ridewatch/contract/unit';
import { backOffMs } from './back-off.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Timers } from './timers.ts';

const WAIT_S = 25;

/** What was asked for is not there any more: asking again cannot help. */
export class GoneError extends Error {}

export interface CommandLoopOptions {
  connection: Pick<Connection, 'pollCommands' | 'acknowledge'>;
  timers: Timers;
  /** Does what the command asks; what it throws is told to the server as the reason. */
  carryOut: (command: UnitCommand) => Promise<void>;
  signal: AbortSignal;
  /** Whether the link is up at the moment; a unit without one does not ask. */
  isLinked?: () => boolean;
  onFailure?: (error: Error) => void;
}

/** Runs until the signal fires; never throws for a lost link. */
export async function runCommandLoop(options: CommandLoopOptions): Promise<void> {
  const { connection, timers, signal, onFailure } = options;
  const running = new Map<number, Promise<void>>();
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
        const work = obey(command, options).finally(() => running.delete(command.id));
        running.set(command.id, work);
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
  await Promise.all(running.values());
}

async function obey(command: UnitCommand, options: CommandLoopOptions): Promise<void> {
  const { connection, onFailure, signal } = options;
  try {
    await connection.acknowledge(command.id, 'accepted');
    try {
      await options.carryOut(command);
    } catch (error) {
      // A unit that is being switched off, or whose link is lost, has not failed: it is told the command again.
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
