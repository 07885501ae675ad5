// From a request to a file. The job begins anew after a crash, under the same storage key; the store shows a file only
// when it is complete. A cancelled report ends at once and leaves nothing.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReportFailure } from '@ridewatch/contract/reports';
import * as z from 'zod/mini';
import { checkAccountOpen, findAccount, viewerOf } from '../auth/accounts.ts';
import { AppError, isNoRoom } from '../core/errors.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import { sweepWorkJob, workNoted } from '../core/jobs/requested-work.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';
import { checkRows } from './file.ts';
import { createFileThreads, type FileThreads } from './file-thread.ts';
import { askReport } from './question.ts';
import { REPORT_PREFIX } from './report-list.ts';
import {
  beginReport,
  completeReport,
  failReport,
  type MadeFile,
  nudgeReport,
  type OpenReport,
} from './requests.ts';

const Payload = z.object({ reportId: z.int() });

/** The worker's jobs for reports. */
export function reportJobs(deps: Deps): JobDefinition[] {
  const lost = { name: 'sweep_reports', table: 'reports', jobKey: 'report:' } as const;
  return [
    makeReportJob(deps),
    sweepWorkJob(deps, { ...lost, nudge: nudgeReport, fail: failReport }),
  ];
}

/** Makes the file of a report, with the rights that its user has now. */
function makeReportJob(deps: Deps): JobDefinition {
  const { clock, log } = deps;
  const { db } = deps.database;
  const threads = createFileThreads(deps.database);
  return {
    name: 'make_report',
    run: async (payload, { lastAttempt, signal }) => {
      const { reportId } = Payload.parse(payload);
      const report = await beginReport(db, reportId, clock.nowMs());
      if (report === undefined) return;
      const cancelled = new AbortController();
      try {
        const made = await makeFile(deps, threads, { id: reportId, ...report }, cancelled, signal);
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
  threads: FileThreads,
  { id: reportId, userId, parameters, language, format }: OpenReport & { readonly id: number },
  cancelled: AbortController,
  stopping: AbortSignal,
): Promise<MadeFile> {
  const { clock, config, storage } = deps;
  const { db } = deps.database;
  const viewer = await findViewer(deps, userId);
  const question = await askReport({ db, config, clock }, viewer, parameters, language);
  await checkRows(db, question);
  const progress = { rows: 0, share: 0 };
  const row = { table: 'reports', id: reportId } as const;
  const write = async (): Promise<MadeFile> => {
    const file = await threads.write(question, format, progress);
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
  };
  return workNoted(deps, row, cancelled, () => progress.share, write);
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
