import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { byBusJob } from './by-bus-job.ts';
import { makeProfiles, requestEndedMonth } from './profiles.ts';

const EVERY_NIGHT = '20 2 * * *';

/** Makes the profiles of ended months that are missing or stale. Statistics read their hours meanwhile. */
export function makeProfilesJob(deps: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return byBusJob(deps, {
    name: 'make_profiles',
    table: 'stale_profiles',
    failure: 'profiles of a bus were not made',
    work: makeProfiles,
  });
}

/** Asks for the profiles of a month when it has ended. It runs every night. */
export function endMonthJob({ database, clock }: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: 'end_month',
    schedule: EVERY_NIGHT,
    run: () => requestEndedMonth(database.db, clock.nowMs()),
  };
}
