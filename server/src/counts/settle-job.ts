// Settles days that no laps job settles, the newest first, one bus a transaction. Statistics read them live meanwhile, so
// nothing is lost when the job is late.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { addJob, EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import { settingsAt } from '../days/bus-settings.ts';
import type { Deps } from '../deps.ts';
import { settleDays } from './settle.ts';
import { WEEKS_BEFORE } from './silence.ts';

/** After this time the job yields to others of its class, ms. */
const TURN_MS = 10_000;
/** Most days of a transaction. */
const MOST_DAYS = 31;
/** Most buses that may fail in one turn: more have one cause, such as a database that is away. */
const MOST_FAILED = 20;
const EVERY_HOUR = '5 * * * *';
/** Days that ended are looked for over so many days, in case the server was off. */
const ENDED_DAYS = 7 * WEEKS_BEFORE;

/** Settles days. It runs every minute, and goes on at once while days are left. */
export function settleDaysJob({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  const { db } = database;
  return {
    name: 'settle_days',
    schedule: EVERY_MINUTE,
    run: async () => {
      const untilMs = clock.nowMs() + TURN_MS;
      // A bus whose days cannot be settled waits for the next minute, and others do not wait for it.
      const failed: number[] = [];
      for (;;) {
        const next = await findNext(db, failed);
        if (next === undefined || failed.length === MOST_FAILED) return;
        if (clock.nowMs() >= untilMs) {
          if (failed.length === 0) await addJob(db, 'settle_days', {}, { key: 'settle_days' });
          return;
        }
        const { busId, days } = next;
        try {
          await db.transaction().execute((tx) => settleDays(tx, busId, days, clock.nowMs()));
        } catch (error) {
          failed.push(busId);
          log.error({ busId, days, err: error }, 'days of a bus were not settled');
        }
      }
    },
  };
}

/** The bus with the newest unsettled day, and its newest ones. @param failed buses that are left out */
async function findNext(
  db: Db,
  failed: readonly number[],
): Promise<{ busId: number; days: string[] } | undefined> {
  const { rows } = await sql<{ busId: number; days: string[] }>`
    select bus.id as "busId", array(select day::text from unsettled_days
      where workplace_id = bus.id order by day desc limit ${MOST_DAYS}) as days
    from (select workplace_id as id from unsettled_days where workplace_id <> all(${failed}::bigint[])
      order by day desc, workplace_id limit 1) as bus`.execute(db);
  return rows[0];
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
