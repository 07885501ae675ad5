import { sql } from 'kysely';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import { settingsAt } from '../days/bus-settings.ts';
import type { Deps } from '../deps.ts';
import { byBusJob } from './by-bus-job.ts';
import { settleDays } from './settle.ts';
import { WEEKS_BEFORE } from './silence.ts';

const EVERY_HOUR = '5 * * * *';
/** Days that ended are looked for over so many days, in case the server was off. */
const ENDED_DAYS = 7 * WEEKS_BEFORE;

/** Settles days that no laps job settles. Statistics read them live meanwhile. */
export function settleDaysJob(deps: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return byBusJob(deps, {
    name: 'settle_days',
    table: 'unsettled_days',
    failure: 'days of a bus were not settled',
    work: (tx, busId, days) => settleDays(tx, busId, days, deps.clock.nowMs()),
  });
}

/**
 * Has each day settled once more after its end: only then a unit that has sent nothing since was silent, also on a day on
 * which it has sent nothing at all. It runs every hour.
 */
export function closeDaysJob({ database, clock }: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: 'close_days',
    schedule: EVERY_HOUR,
    run: async () => {
      const now = sql<Date>`${new Date(clock.nowMs())}::timestamptz`;
      await sql`insert into unsettled_days (workplace_id, day)
        select bus.id, listed.day::date
        from workplaces as bus
        cross join lateral ${settingsAt(sql.ref('bus.id'), now)} as settings
        cross join lateral (select (${now} at time zone settings.timezone)::date - 1 as ended) as local
        cross join lateral generate_series(ended - ${ENDED_DAYS}::int, ended, interval '1 day') as listed (day)
        left join day_traffic as own on own.workplace_id = bus.id and own.day = listed.day::date
        where own.closed is distinct from true and (own.heard <> 0 or exists (
          select from generate_series(1, ${WEEKS_BEFORE}::int) as week
          join day_traffic as earlier on earlier.workplace_id = bus.id
            and earlier.day = listed.day::date - 7 * week and earlier.heard <> 0))
        order by 1, 2
        on conflict do nothing`.execute(database.db);
    },
  };
}
