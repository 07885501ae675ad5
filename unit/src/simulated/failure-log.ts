import type { SimulatedBus } from './bus.ts';

const QUIET_MS = 60_000;

/** Reports a failure of a bus to the operator. */
export type FailureLog = (bus: SimulatedBus, line: string) => void;

/** Creates a log that prints a failure at most once a minute and bus: a broken link fails every second. */
export function createFailureLog(say: (line: string) => void): FailureLog {
  const saidMs = new Map<string, number>();
  return (bus, line) => {
    const key = `${bus.deviceId} ${line}`;
    const nowMs = performance.now();
    if (nowMs - (saidMs.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    saidMs.set(key, nowMs);
    say(`${bus.name}: ${line}`);
  };
}
