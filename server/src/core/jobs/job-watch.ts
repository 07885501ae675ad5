// Reports that background work is behind: to administrators by a notice, to probes by /readyz, to Prometheus by
// metrics. It does not run in the queue, because a stuck queue could not report itself.
import { Notice } from '@ridewatch/contract/news';
import { sql } from 'kysely';
import type { CoreDeps } from '../core-deps.ts';
import type { Db } from '../db/db.ts';
import { degradedOf, type JobBacklog, listJobBacklogs, noteBacklogs } from './job-backlogs.ts';

/** Callers within this time get the same figures, ms: probes and scrapes must not load the database. */
const KEEP_MS = 5000;
const TELL_EVERY_MS = 60_000;
/** How long a day that broke a limit is reported; its GPS tab always shows it. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000;
const JOBS_KEY = 'jobs';
const LAPS_KEY = 'laps';

/** Reads how far background work is behind, at most every 5 s. @throws the database's error */
export type ReadBacklogs = () => Promise<JobBacklog[]>;

/** Created once a process; it also fills the gauges. */
export function createBacklogReader({
  database,
  metrics,
}: Pick<CoreDeps, 'database' | 'metrics'>): ReadBacklogs {
  let kept: Promise<JobBacklog[]> | undefined;
  let readAtMs = 0;
  return () => {
    if (kept !== undefined && performance.now() - readAtMs < KEEP_MS) return kept;
    readAtMs = performance.now();
    const fresh = listJobBacklogs(database.db).then((backlogs) => {
      for (const one of backlogs) {
        metrics.jobsWaiting.labels(one.class).set(one.waiting);
        metrics.jobsOldestSeconds.labels(one.class).set(one.oldestS);
      }
      return backlogs;
    });
    kept = fresh;
    fresh.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh;
  };
}

/** Creates and removes the notices to administrators, every minute. @returns stops it */
export function watchJobs(
  { database, log, clock }: Pick<CoreDeps, 'database' | 'log' | 'clock'>,
  readBacklogs: ReadBacklogs,
): () => void {
  const timer = setInterval(() => {
    notifyAdministrators(database.db, readBacklogs, clock.nowMs()).catch((err: unknown) =>
      log.warn({ err }, 'administrators were not notified of background work'),
    );
  }, TELL_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Notes the numbers of waiting jobs, and brings the notices in line with the degraded classes and the days of laps that broke a limit. */
export async function notifyAdministrators(
  db: Db,
  readBacklogs: ReadBacklogs,
  nowMs: number,
): Promise<void> {
  const backlogs = await readBacklogs();
  await noteBacklogs(db, backlogs);
  const degraded = degradedOf(backlogs);
  await setNotice(db, JOBS_KEY, jobsNotice(degraded), nowMs);
  await setNotice(db, LAPS_KEY, await lapsNotice(db, nowMs), nowMs);
}

function jobsNotice(degraded: readonly JobBacklog[]): Notice | undefined {
  if (degraded.length === 0) return undefined;
  return {
    kind: 'jobs',
    classes: degraded.map((one) => ({
      class: one.class,
      waiting: one.waiting,
      minutes: Math.floor(one.oldestS / 60),
    })),
  };
}

type LapsNotice = Extract<Notice, { kind: 'laps' }>;

async function lapsNotice(db: Db, nowMs: number): Promise<Notice | undefined> {
  const { rows } = await sql<Omit<LapsNotice, 'kind'>>`
    select count(*)::int as days, count(distinct workplace_id)::int as buses,
      (array_agg(name order by taken_at desc, workplace_id))[1] as bus,
      (array_agg(day order by taken_at desc, workplace_id))[1] as day,
      (array_agg(failure order by taken_at desc, workplace_id))[1] as reason
    from lap_days join workplaces on workplaces.id = workplace_id
    where failure is not null and taken_at > ${new Date(nowMs - TOLD_FOR_MS)}`.execute(db);
  const [found] = rows;
  return found === undefined || found.days === 0 ? undefined : { kind: 'laps', ...found };
}

// A notice that says the same keeps its row, so that users who closed it do not see it again. Another class or day gets
// a row of its own.
async function setNotice(
  db: Db,
  key: string,
  notice: Notice | undefined,
  nowMs: number,
): Promise<void> {
  if (notice === undefined) {
    await db.deleteFrom('messages').where('key', '=', key).execute();
    return;
  }
  const details = JSON.stringify(notice);
  const before = await db
    .selectFrom('messages')
    .select('details')
    .where('key', '=', key)
    .executeTakeFirst();
  const known = Notice.safeParse(before?.details).data;
  if (known !== undefined && causeOf(known) !== causeOf(notice)) {
    await db.deleteFrom('messages').where('key', '=', key).execute();
  }
  await db
    .insertInto('messages')
    .values({
      key,
      for_admins: true,
      title: titles[key] ?? key,
      text: details,
      details,
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ text: details, details }))
    .execute();
}

function causeOf(notice: Notice): string {
  if (notice.kind === 'jobs') return notice.classes.map((one) => one.class).join();
  return notice.kind === 'laps' ? `${notice.days} ${notice.bus} ${notice.day}` : notice.kind;
}

// For readers of the table; screens show it in their own language.
const titles: Readonly<Record<string, string>> = {
  [JOBS_KEY]: 'Background work is behind',
  [LAPS_KEY]: 'Days of laps could not be worked out',
};
