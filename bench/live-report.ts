import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LiveReport } from './live-load.ts';

/** Asks a live load what it did since it was asked the last time. */
export async function reportOf(load: ChildProcess): Promise<LiveReport> {
  if (load.exitCode !== null) throw new Error('the load has ended');
  const answer = once(load, 'message');
  load.send('report');
  const [report] = (await answer) as [LiveReport];
  return report;
}

/** The value below which this share of them lies; 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? Number.NaN;
}
