// Failures that the next look at the commands may mend, such as a full disk or a unit that has just moved. One that lasts is
// written to the log.
import type { AppError } from '../../core/errors.ts';
import { createFaultLog } from '../../core/fault-log.ts';

/** Looks come each few seconds: a failure that was there so long ago, and since, lasts, ms. */
const LASTS_MS = 60_000;
/** After so long without a try a failure is another one, ms. */
const APART_MS = 3_600_000;
/** Failing units that are remembered, of each kind of work; those that failed longest ago are forgotten. */
const MOST_FAILING = 20_000;

/** Work that was tried for a unit. */
export interface Tried {
  readonly unitId: number;
  readonly kinds: readonly string[];
}

export interface FailedCommands {
  /** Notes a failure. Units that fail with the same cause share the lines of the log. */
  failed(tried: Tried, error: AppError): void;
  /** Notes that the work was done. The log says so once no unit's work of these kinds fails any more. */
  worked(tried: Tried): void;
}

/** Makes the notes of one process. */
export function createFailedCommands(deps: Parameters<typeof createFaultLog>[0]): FailedCommands {
  const faults = createFaultLog(deps);
  /** By kinds of work and unit; those that failed last are the last. */
  const failing = new Map<string, Map<number, { firstMs: number; lastMs: number }>>();

  // Units that have never come back fail no more.
  function failingOf(lane: string): Map<number, { firstMs: number; lastMs: number }> {
    const units = failing.get(lane) ?? new Map<number, { firstMs: number; lastMs: number }>();
    failing.set(lane, units);
    for (const [unitId, { lastMs }] of units) {
      if (deps.clock.elapsedMs() - lastMs < APART_MS && units.size <= MOST_FAILING) break;
      units.delete(unitId);
    }
    return units;
  }

  return {
    failed: (tried, error) => {
      const nowMs = deps.clock.elapsedMs();
      const lane = tried.kinds.join(' ');
      const units = failingOf(lane);
      const firstMs = units.get(tried.unitId)?.firstMs ?? nowMs;
      units.delete(tried.unitId);
      units.set(tried.unitId, { firstMs, lastMs: nowMs });
      if (nowMs - firstMs < LASTS_MS) return;
      const cause = `${error.code}: ${error.message}`;
      const text = 'commands of a unit are not carried out';
      faults.fail(lane, cause, { ...tried, err: error }, text);
    },
    worked: ({ unitId, kinds }) => {
      const lane = kinds.join(' ');
      if (failing.get(lane)?.delete(unitId) !== true || failingOf(lane).size > 0) return;
      faults.work(lane, { kinds }, 'commands of units are carried out again');
    },
  };
}
