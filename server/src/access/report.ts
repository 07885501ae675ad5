import type { ReportFormat, ReportLanguage, ReportParameters } from '@ridewatch/contract/reports';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { RouteRow } from './route.ts';
import { isVisibleClient, type Visible } from './visible.ts';

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
  /** The buses that have rows in the file; null before it is made, and of the advanced report. */
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
 * The customers about whose routes and buses a user may request the advanced report: all for administrators, for others
 * those of its customers that they see. None: the report is not open to the user.
 * @param clientIds the customers that have it, from the configuration
 */
export function advancedReportClients(
  { clientIds: seen }: Viewer,
  clientIds: readonly number[],
): Viewer['clientIds'] {
  return seen === 'all' ? seen : seen.filter((id) => clientIds.includes(id));
}

/**
 * The user with the scope of the advanced report.
 * @param clientIds as `advancedReportClients`
 * @param routes those of the report, which the user sees
 * @throws AppError no_right when it is not open to the user, or has a route of a customer without it
 */
export function advancedReportViewer(
  viewer: Viewer,
  clientIds: readonly number[],
  routes: Visible<readonly RouteRow[]>,
): Viewer {
  const scoped = { ...viewer, clientIds: advancedReportClients(viewer, clientIds) };
  if (scoped.clientIds.length === 0) {
    throw new AppError('no_right', 'The advanced report is not open to this user.');
  }
  const closed = routes.find(({ clientId }) => !isVisibleClient(scoped, clientId));
  if (closed === undefined) return scoped;
  const message = `The customer of route ${closed.id} does not have the advanced report.`;
  throw new AppError('no_right', message, { field: 'groupIds' });
}
