// Log lines of faults that last. A thing that is tried again and again says that it fails when that begins, and that it works
// when that begins; each try would fill the log.
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A fault that lasts is written again after so long, ms. */
const AGAIN_MS = 3_600_000;
/** A fault that comes back within so long of its end is the same one, and is written only if it lasts, ms. */
const BACK_MS = 900_000;

/** A log of one process, which begins anew with it: several that see the same fault write it each. */
export interface FaultLog {
  /**
   * Writes a fault: when it begins, when its cause is another one, and once an hour while it lasts.
   * @param subject the thing that fails
   * @param cause tells faults of the subject apart
   * @param fields what the line has beside the text
   */
  fail(subject: string, cause: string, fields: object, text: string): void;
  /** Writes that a thing works again; nothing unless its fault was written. */
  work(subject: string, fields: object, text: string): void;
  /**
   * Has the next fault written whatever was written before: another thing has the name from now on. That it works is written
   * once if the fault of the one before was.
   */
  renew(subject: string): void;
}

interface Subject {
  /** When each cause was written last, by the clock that only grows. */
  readonly saidMs: Map<string, number>;
  /** When its end was written; undefined: it has a fault. */
  workedMs: number | undefined;
}

/** Makes the log of some things. @param level of its lines, also of those that say that a thing works */
export function createFaultLog(
  {
    log,
    clock,
  }: { readonly log: Pick<Log, 'warn' | 'error'>; readonly clock: Pick<Clock, 'elapsedMs'> },
  level: 'warn' | 'error' = 'warn',
): FaultLog {
  const subjects = new Map<string, Subject>();
  return {
    fail: (subject, cause, fields, text) => {
      const nowMs = clock.elapsedMs();
      const before = subjects.get(subject);
      if (before === undefined) {
        subjects.set(subject, { saidMs: new Map([[cause, nowMs]]), workedMs: undefined });
      } else {
        const { saidMs, workedMs } = before;
        if (workedMs !== undefined) {
          if (nowMs - workedMs < BACK_MS) return;
          saidMs.clear();
          before.workedMs = undefined;
        } else if (nowMs - (saidMs.get(cause) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
        saidMs.set(cause, nowMs);
      }
      log[level](fields, text);
    },
    work: (subject, fields, text) => {
      const before = subjects.get(subject);
      if (before === undefined || before.workedMs !== undefined) return;
      before.workedMs = clock.elapsedMs();
      log[level](fields, text);
    },
    renew: (subject) => {
      const before = subjects.get(subject);
      if (before?.workedMs === undefined) before?.saidMs.clear();
      else subjects.delete(subject);
    },
  };
}
