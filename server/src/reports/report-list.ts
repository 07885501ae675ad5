import type {
  Report,
  ReportFailure,
  ReportFormat,
  ReportKind,
  ReportLanguage,
  ReportParameters,
  ReportStatus,
} from '@ridewatch/contract/reports';
import { type RawBuilder, sql } from 'kysely';
import { isKnownBus, isOfVisibleClient } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { TokenKeys } from '../core/signing-keys.ts';
import type { Viewer } from '../core/viewer.ts';
import { signVideo } from '../media/serving/sign.ts';
import { fileName } from './file.ts';
import type { Column, Table, Row as TableRow } from './writing/table.ts';
import { writeTable } from './writing/write-table.ts';

/** A row of a table, a cell for each column. */
export type Row = TableRow;
/** A column of a table. */
export type TableColumn = Column;

/** Writes a table of another room as a file, as it is read. */
export function tableFile(
  table: Table,
  format: ReportFormat,
  language: ReportLanguage,
): AsyncGenerator<Buffer | string> {
  return writeTable(table, format, language);
}

/** Prefix of storage keys of reports; the report's id follows, and its format. */
export const REPORT_PREFIX = 'reports/';

/** Buses or routes that an answer names. */
const MOST_NAMES = 5;

/** The facts that an answer depends on besides the rows. */
export interface ReportQuestion {
  readonly keys: TokenKeys;
  readonly nowMs: number;
  /** Retention of reports unless the customer has its own. */
  readonly filesDays: number;
}

/** The wanted reports of a user. */
export interface WantedReports {
  readonly kind: ReportKind | undefined;
  readonly status: ReportStatus | undefined;
  /** From 0. */
  readonly page: number;
  readonly perPage: number;
}

interface ReportRow {
  readonly id: number;
  readonly status: ReportStatus;
  readonly format: ReportFormat;
  readonly language: ReportLanguage;
  readonly parameters: ReportParameters;
  readonly names: string[];
  readonly progress: number;
  readonly failReason: ReportFailure | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly rows: number | null;
  readonly sizeBytes: number | null;
  readonly hasFile: boolean;
  readonly expiresAt: Date | null;
}

/** A user's reports, the latest first. */
export async function listReports(
  db: Db,
  viewer: Viewer,
  { kind, status, page, perPage }: WantedReports,
  question: ReportQuestion,
): Promise<{ items: Report[]; number: number; total: number; in_progress: number }> {
  const isWanted = sql`${isThere(question)} and (${kind ?? null}::text is null or kind = ${kind ?? null})
    and (${status ?? null}::text is null or reports.status = ${status ?? null})`;
  const rows = await readReports(
    db,
    viewer,
    question,
    sql`${isWanted} order by reports.created_at desc, reports.id desc
      limit ${perPage} offset ${page * perPage}`,
  );
  const { rows: sums } = await sql<{ total: number; open: number }>`
    select count(*) filter (where ${isWanted})::int as total,
      count(*) filter (where reports.status = 'PROCESS')::int as open
    from ${ownReports(viewer)}`.execute(db);
  return {
    items: rows.map((row) => reportOf(row, viewer, question)),
    number: page,
    total: sums[0]?.total ?? 0,
    in_progress: sums[0]?.open ?? 0,
  };
}

/** @throws AppError not_found, also for those of other users */
export async function findReportAnswer(
  db: Db,
  viewer: Viewer,
  id: number,
  question: ReportQuestion,
): Promise<Report> {
  const [row] = await readReports(db, viewer, question, sql`reports.id = ${id}`);
  if (row === undefined) throw notFound();
  return reportOf(row, viewer, question);
}

const keptDays = ({ filesDays }: ReportQuestion): RawBuilder<unknown> =>
  sql`make_interval(days => coalesce(files_days, ${filesDays}::int))`;

function isThere(question: ReportQuestion): RawBuilder<boolean> {
  return sql`(reports.status = 'PROCESS' or coalesce(completed_at, reports.created_at)
    + ${keptDays(question)} > ${new Date(question.nowMs)})`;
}

function ownReports({ userId }: Viewer): RawBuilder<unknown> {
  return sql`(select * from reports where user_id = ${userId}) as reports
    join users on users.id = reports.user_id
    left join client_retention on client_retention.client_id = users.client_id`;
}

async function readReports(
  db: Db,
  viewer: Viewer,
  question: ReportQuestion,
  which: RawBuilder<unknown>,
): Promise<ReportRow[]> {
  const idsOf = (key: 'workplaceIds' | 'groupIds') =>
    sql`(select jsonb_array_elements_text(reports.parameters -> ${key}::text)::bigint)`;
  const { rows } = await sql<ReportRow>`
    select reports.id, reports.status, format, language, parameters, progress,
      fail_reason as "failReason", reports.created_at as "createdAt",
      completed_at as "completedAt", row_count as rows, size_bytes as "sizeBytes",
      storage_key is not null as "hasFile", completed_at + ${keptDays(question)} as "expiresAt",
      array(
        select name from (
          select name from workplaces
          where id in ${idsOf('workplaceIds')} and ${isKnownBus(viewer, sql.ref('workplaces.id'))}
          union all
          select name from route_groups where id in ${idsOf('groupIds')}
            and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}) as named
        order by name collate natural_ru limit ${MOST_NAMES}) as names
    from ${ownReports(viewer)} where ${which}`.execute(db);
  return rows;
}

function reportOf(row: ReportRow, viewer: Viewer, { keys, nowMs }: ReportQuestion): Report {
  const { id, parameters, format, language, names } = row;
  const ids = 'groupIds' in parameters ? parameters.groupIds : parameters.workplaceIds;
  const signed = {
    ...{ fragmentId: id, variant: 'report' as const },
    ...{ userId: viewer.userId, sessionId: viewer.sessionId },
  };
  return {
    ...{ id, format, language, parameters, rows: row.rows },
    status: row.status,
    subjects: { total: ids?.length ?? null, names },
    progress: row.progress,
    fail_reason: row.failReason,
    created_at: row.createdAt.toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
    size_bytes: row.sizeBytes,
    file_name: fileName(parameters, format, language),
    download: row.hasFile
      ? `/api/reports/${id}/download?hash=${signVideo(keys, signed, nowMs)}`
      : null,
    expires_at: row.hasFile ? (row.expiresAt?.toISOString() ?? null) : null,
  };
}
