// From a request to a file. The job begins anew after a crash, under the same storage key; the store shows a file only
// when it is complete. Every second it writes its progress to the row; when the row says that the report was cancelled,
// the work ends at once and leaves nothing.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReportFailure } from '@ridewatch/contract/reports';
import * as z from 'zod/mini';
import { checkAccountOpen, findAccount, viewerOf } from '../auth/queries.ts';
import { AppError, isNoRoom } from '../core/errors.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';
import { checkRows, type FileProgress } from './file.ts';
import { writeInThread } from './file-thread.ts';
import { REPORT_PREFIX } from './queries.ts';
import { askReport } from './question.ts';
import {
  beginReport,
  completeReport,
  failReport,
  type MadeFile,
  noteWork,
  nudgeReport,
  type OpenReport,
} from './requests.ts';

/** Interval of the progress, ms: also how soon a cancelled report ends. */
const NOTE_EVERY_MS = 1000;
/** After this time without progress a report has lost its job, ms. */
const LOST_MS = 60_000;

const Payload = z.object({ reportId: z.int() });

/** The worker's jobs for reports. */
export function reportJobs(deps: Deps): JobDefinition[] {
  return [makeReportJob(deps), sweepReportsJob(deps)];
}

/** Makes the file of a report, with the rights that its user has now. */
function makeReportJob(deps: Deps): JobDefinition {
  const { clock, log } = deps;
  const { db } = deps.database;
  return {
    name: 'make_report',
    run: async (payload, { lastAttempt, signal }) => {
      const { reportId } = Payload.parse(payload);
      const report = await beginReport(db, reportId, clock.nowMs());
      if (report === undefined) return;
      const cancelled = new AbortController();
      try {
        const made = await makeFile(deps, reportId, report, cancelled, signal);
        await completeReport(db, reportId, made, clock.nowMs());
      } catch (error) {
        if (cancelled.signal.aborted) return;
        if (signal.aborted) throw error;
        const reason = failureOf(error);
        if (reason === 'failed' && !lastAttempt) throw error;
        log.warn({ reportId, reason, err: error }, 'a report failed');
        await failReport(db, reportId, reason, clock.nowMs());
      }
    },
  };
}

async function makeFile(
  deps: Deps,
  reportId: number,
  { userId, parameters, language, format }: OpenReport,
  cancelled: AbortController,
  stopping: AbortSignal,
): Promise<MadeFile> {
  const { config, storage } = deps;
  const { db } = deps.database;
  const viewer = await findViewer(deps, userId);
  const question = await askReport({ db, config }, viewer, parameters, language);
  await checkRows(db, question);
  const progress = { rows: 0, share: 0 };
  const stopNoting = noteProgress(deps, reportId, progress, cancelled);
  try {
    const file = await writeInThread(deps.database, question, format, progress);
    try {
      const key = `${REPORT_PREFIX}${reportId}.${format}`;
      const hash = createHash('sha256');
      const hashed = async function* (): AsyncGenerator<Buffer> {
        for await (const part of file) {
          hash.update(part);
          yield part;
        }
      };
      const signal = AbortSignal.any([cancelled.signal, stopping]);
      const { sizeBytes } = await storage.put(key, Readable.from(hashed(), { signal }));
      const isByRoutes = parameters.kind === 'advanced-report';
      const busIds = isByRoutes ? null : question.buses.map(({ id }) => id);
      return { key, sizeBytes, sha256: hash.digest(), rows: progress.rows, busIds };
    } finally {
      await file.close();
    }
  } finally {
    await stopNoting();
  }
}

// A job has no session.
async function findViewer({ database }: Deps, userId: number): Promise<Viewer> {
  const account = await findAccount(database.db, userId);
  if (account === undefined) throw new AppError('no_right', 'There is no such user any more.');
  checkAccountOpen(account);
  return viewerOf(account, '');
}

function failureOf(error: unknown): ReportFailure {
  if (isNoRoom(error)) return 'no_space';
  if (!(error instanceof AppError)) return 'failed';
  const { code } = error;
  if (code === 'not_found' || code === 'too_large') return code;
  const isClosed = code === 'no_right' || code === 'user_blocked' || code === 'user_inactive';
  return isClosed ? 'no_right' : 'failed';
}

function noteProgress(
  { database, clock, log }: Deps,
  reportId: number,
  progress: FileProgress,
  cancelled: AbortController,
): () => Promise<void> {
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting
      .then(() => noteWork(database.db, reportId, progress.share, clock.nowMs()))
      .then((isWanted) => isWanted || cancelled.abort(new Error('The report was cancelled.')))
      .then(
        () => undefined,
        (err: unknown) => log.warn({ reportId, err }, 'the progress of a report was not stored'),
      );
  }, NOTE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await noting;
  };
}

/** Restarts reports whose job was lost: a restored backup has none. */
function sweepReportsJob({ database, clock }: Deps): JobDefinition {
  return {
    name: 'sweep_reports',
    schedule: EVERY_MINUTE,
    run: async () => {
      const before = new Date(clock.nowMs() - LOST_MS);
      const lost = await database.db
        .selectFrom('reports')
        .select('id')
        .where('status', '=', 'PROCESS')
        .where('created_at', '<', before)
        .where((eb) => eb.or([eb('worked_at', 'is', null), eb('worked_at', '<', before)]))
        .orderBy('created_at')
        .execute();
      for (const { id } of lost) await nudgeReport(database.db, id, 0, true);
    },
  };
}
