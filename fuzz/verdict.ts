// Compares a run with its limits.
import { MOST_HEALTH_MS, MOST_MEMORY_MIB, type Outcome } from './run.ts';

/**
 * Lists the faults of a run, one sentence each; none for a clean run.
 * @param mostHealthMs limit of the p99 of /healthz, ms
 */
export function faultsOfRun(
  { kinds, watched }: Pick<Outcome, 'kinds' | 'watched'>,
  mostHealthMs = MOST_HEALTH_MS,
): string[] {
  const faults = [...kinds].map(([kind, count]) => `${count} × ${kind}`);
  if (watched.asked === 0) faults.push('/healthz was never answered');
  if (watched.p99Ms > mostHealthMs) {
    faults.push(`p99 of /healthz is ${watched.p99Ms.toFixed(0)} ms, over ${mostHealthMs}`);
  }
  if (watched.mostMiB > MOST_MEMORY_MIB) {
    faults.push(`the server held ${watched.mostMiB.toFixed(0)} MiB, over ${MOST_MEMORY_MIB}`);
  }
  return faults;
}
