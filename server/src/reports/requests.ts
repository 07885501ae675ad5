// Changes of a report's row. The row is the truth: a job that finds it no longer in progress leaves nothing.
import {
  MAX_OPEN_REPORTS,
  type ReportFailure,
  type ReportFormat,
  type ReportLanguage,
  type ReportParameters,
} from '@ridewatch/contract/reports';
import { sql, type Updateable } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
import type { DB } from '../core/db/db-types.ts';
import { AppError } from '../core/errors.ts';
import { addJob } from '../core/jobs/jobs.ts';
import { deleteLater } from '../storage/delete-later.ts';
import type { Question } from './question.ts';

/** When a user with too many reports may ask again, s. */
const COME_BACK_S = 60;

/**
 * Requests a report, or joins an equal one of the user's that is in progress.
 * @returns its id
 * @throws AppError too_many_attempts when the user has too many in progress
 */
export async function insertReport(
  db: Db,
  actor: Actor,
  { viewer: { userId }, parameters, language }: Question,
  format: ReportFormat,
  nowMs: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Concurrent requests of a user take turns, so that the later ones find the first.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const text = JSON.stringify(parameters);
    const open = await tx
      .selectFrom('reports')
      .select(['id', 'format', 'language'])
      .select(sql<boolean>`parameters = ${text}::jsonb`.as('same'))
      .where('user_id', '=', userId)
      .where('status', '=', 'PROCESS')
      .execute();
    const equal = open.find(
      (one) => one.same && one.format === format && one.language === language,
    );
    if (equal !== undefined) return equal.id;
    if (open.length >= MAX_OPEN_REPORTS) {
      const message = `${MAX_OPEN_REPORTS} of your reports are in progress. Wait for one or cancel one.`;
      throw new AppError('too_many_attempts', message, { retryAfterS: COME_BACK_S });
    }
    const { kind } = parameters;
    const { id } = await tx
      .insertInto('reports')
      .values({
        user_id: userId,
        kind,
        parameters: text,
        format,
        language,
        created_at: new Date(nowMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertAudit(tx, actor, {
      action: 'request_report',
      objectType: 'report',
      objectId: id,
      after: parameters,
    });
    await nudgeReport(tx, id);
    return id;
  });
}

/**
 * Queues a report. The users take turns: its priority is the number of its user's reports before it.
 * @param keepExisting leaves an existing job as it is
 */
export async function nudgeReport(db: Db, id: number, keepExisting = false): Promise<void> {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from reports as earlier join reports as asked on asked.id = ${id}
    where earlier.status = 'PROCESS' and earlier.id < asked.id
      and earlier.user_id = asked.user_id`.execute(db);
  const options = { key: `report:${id}`, maxAttempts: 4, priority: rows[0]?.ahead ?? 0 };
  await addJob(db, 'make_report', { reportId: id }, { ...options, keepExisting });
}

/** A report that is to be made. */
export interface OpenReport {
  readonly userId: number;
  readonly parameters: ReportParameters;
  readonly format: ReportFormat;
  readonly language: ReportLanguage;
}

/** Begins a report, or begins it again after a crash. @returns undefined when it is not in progress any more */
export async function beginReport(
  db: Db,
  id: number,
  nowMs: number,
): Promise<OpenReport | undefined> {
  const report = await db
    .updateTable('reports')
    .set({ worked_at: new Date(nowMs), progress: 0 })
    .where('id', '=', id)
    .where('status', '=', 'PROCESS')
    .returning(['user_id as userId', 'parameters', 'format', 'language'])
    .executeTakeFirst();
  return report as OpenReport | undefined;
}

/** A stored file of a report. */
export interface MadeFile {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly rows: number;
  readonly busIds: readonly number[] | null;
}

/** The file is stored. If the report was cancelled meanwhile, it is deleted. */
export async function completeReport(
  db: Db,
  id: number,
  { key, sizeBytes, sha256, rows, busIds }: MadeFile,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const file = {
      ...{ storage_key: key, size_bytes: sizeBytes, sha256, row_count: rows },
      bus_ids: busIds === null ? null : [...busIds],
    };
    if (!(await end(tx, id, { status: 'COMPLETE', progress: 100, ...file }, nowMs))) {
      await deleteLater(tx, [key]);
    }
  });
}

/** The report failed. Does nothing when it has ended. */
export async function failReport(
  db: Db,
  id: number,
  reason: ReportFailure,
  nowMs: number,
): Promise<void> {
  await end(db, id, { status: 'FAILED', fail_reason: reason }, nowMs);
}

/** Cancels a report in progress. @throws AppError conflict when it has ended */
export async function cancelReport(db: Db, actor: Actor, id: number, nowMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await end(tx, id, { status: 'FAILED', fail_reason: 'cancelled' }, nowMs))) {
      throw new AppError('conflict', 'The report has already ended.');
    }
    await insertAudit(tx, actor, { action: 'cancel_report', objectType: 'report', objectId: id });
  });
}

async function end(
  db: Db,
  id: number,
  ending: Updateable<DB['reports']>,
  nowMs: number,
): Promise<boolean> {
  const ended = await db
    .updateTable('reports')
    .set({ ...ending, completed_at: new Date(nowMs), worked_at: null })
    .where('id', '=', id)
    .where('status', '=', 'PROCESS')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
