import type { JobDefinition } from '../core/jobs/jobs.ts';
import { rebuildStaleHours } from '../counts/rebuild-hours.ts';
import type { Deps } from '../deps.ts';
import { byBusJob } from './by-bus-job.ts';
import { settleDays } from './settle.ts';

/** Rebuilds the hours of stale days, and settles these. It also runs after each change that leaves days stale. */
export function rebuildHoursJob(deps: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return byBusJob(deps, {
    name: 'rebuild_hours',
    table: 'stale_hours',
    failure: 'hours of a bus were not rebuilt',
    work: async (tx, busId, days) => {
      const seen = await rebuildStaleHours(tx, busId, days);
      await settleDays(tx, busId, days, deps.clock.nowMs(), seen);
    },
  });
}
