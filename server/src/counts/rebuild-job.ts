import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { byBusJob } from './by-bus-job.ts';
import { rebuildHours } from './hours.ts';

/** Rebuilds the hours of stale days. It also runs after each change that leaves days stale. */
export function rebuildHoursJob(deps: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return byBusJob(deps, {
    name: 'rebuild_hours',
    table: 'stale_hours',
    failure: 'hours of a bus were not rebuilt',
    work: rebuildHours,
  });
}
