import type { ReportFormat, ReportLanguage, ReportParameters } from '@ridewatch/contract/reports';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Visible } from './visible.ts';

/** A report of a user, with its file. */
export interface ReportFile {
  readonly id: number;
  /** Null while there is no file. */
  readonly storageKey: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: Buffer | null;
  readonly parameters: ReportParameters;
  readonly format: ReportFormat;
  readonly language: ReportLanguage;
  /** Whose rows the file has; null before it is made, and of the advanced report. */
  readonly busIds: number[] | null;
}

/** A report belongs to the user who requested it. @throws AppError not_found, also for those of other users */
export async function findReport(db: Db, viewer: Viewer, id: number): Promise<Visible<ReportFile>> {
  const report = await db
    .selectFrom('reports')
    .select(['id', 'storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
    .select(['parameters', 'format', 'language', 'bus_ids as busIds'])
    .where('id', '=', id)
    .where('user_id', '=', viewer.userId)
    .executeTakeFirst();
  if (report === undefined) throw notFound();
  return report as Visible<ReportFile>;
}

/**
 * Whether a user may request the advanced report: an administrator, or whoever sees one of its customers.
 * @param clientIds the customers that have it, from the configuration
 */
export function mayRequestAdvanced(
  { clientIds: seen }: Viewer,
  clientIds: readonly number[],
): boolean {
  return seen === 'all' || clientIds.some((id) => seen.includes(id));
}

/** @throws AppError no_right when the user may not request the advanced report */
export function checkMayRequestAdvanced(viewer: Viewer, clientIds: readonly number[]): void {
  if (mayRequestAdvanced(viewer, clientIds)) return;
  throw new AppError('no_right', 'The advanced report is not open to this user.');
}
