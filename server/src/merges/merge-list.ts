import type { MergeFailure, MergeRequest } from '@ridewatch/contract/merges';
import { sql } from 'kysely';
import { isVisibleMerge } from '../access/merge.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { TokenKeys } from '../core/signing-keys.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { signVideo } from '../media/serving/sign.ts';

/** Prefix of storage keys of merged videos; the request's id follows. */
export const MERGED_PREFIX = 'merged/';

/** Most merge requests in an answer; files are deleted after days. */
const MOST_LISTED = 200;

/** The facts that an answer depends on besides the rows. */
export interface MergeQuestion {
  readonly keys: TokenKeys;
  readonly nowMs: number;
  /** Retention of merged videos unless the customer has its own. */
  readonly filesDays: number;
}

interface MergeRow {
  readonly id: number;
  readonly status: MergeRequest['status'];
  readonly fromTime: Date;
  readonly toTime: Date;
  readonly processed: boolean;
  readonly createdAt: Date;
  readonly clientId: number | null;
  readonly clientName: string | null;
  readonly clientSurname: string | null;
  readonly busId: number;
  readonly workplace: string;
  readonly description: string | null;
  readonly cameraId: number;
  readonly camera: string;
  readonly timezone: string;
  readonly progress: number;
  readonly failReason: string | null;
  readonly fragments: number;
  readonly hasFile: boolean;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
  readonly sha256: Buffer | null;
  readonly expiresAt: Date | null;
}

/** Merge requests that run, failed recently, or whose files exist, the latest first. */
export async function listMerges(
  db: Db,
  viewer: Viewer,
  question: MergeQuestion,
): Promise<MergeRequest[]> {
  const rows = await readMerges(db, viewer, question);
  return rows.map((row) => mergeOf(row, viewer, question));
}

/** @throws AppError not_found, also for foreign ones */
export async function findMergeAnswer(
  db: Db,
  viewer: Viewer,
  id: number,
  question: MergeQuestion,
): Promise<MergeRequest> {
  const [row] = await readMerges(db, viewer, question, id);
  if (row === undefined) throw notFound();
  return mergeOf(row, viewer, question);
}

async function readMerges(
  db: Db,
  viewer: Viewer,
  { nowMs, filesDays }: MergeQuestion,
  onlyId?: number,
): Promise<MergeRow[]> {
  const keptFor = sql`make_interval(days => coalesce(files_days, ${filesDays}::int))`;
  const isThere = sql`deleted_at is null and (merge_requests.status = 'PROCESS'
    or coalesce(completed_at, merge_requests.created_at) + ${keptFor} > ${new Date(nowMs)})`;
  const { rows } = await sql<MergeRow>`
    select merge_requests.id, merge_requests.status, from_time as "fromTime", to_time as "toTime", processed,
      merge_requests.created_at as "createdAt", merge_requests.client_id as "clientId",
      clients.name as "clientName", clients.surname as "clientSurname",
      workplaces.id as "busId", workplaces.name as workplace, workplaces.description,
      cameras.id as "cameraId", cameras.name as camera,
      timezone, progress, fail_reason as "failReason", storage_key is not null as "hasFile",
      (select count(*) from merge_request_segments where request_id = merge_requests.id) as fragments,
      size_bytes as "sizeBytes", duration_ms as "durationMs", sha256,
      completed_at + ${keptFor} as "expiresAt"
    from merge_requests
    join cameras on cameras.id = merge_requests.camera_id
    join workplaces on workplaces.id = cameras.workplace_id
    cross join lateral ${settingsAt(sql.ref('workplaces.id'), sql.ref('from_time'))} as settings
    left join clients on clients.id = merge_requests.client_id
    left join client_retention on client_retention.client_id = merge_requests.client_id
    where ${isVisibleMerge(viewer)}
      and ${onlyId === undefined ? isThere : sql`merge_requests.id = ${onlyId}`}
    order by merge_requests.created_at desc, merge_requests.id desc
    limit ${MOST_LISTED}`.execute(db);
  return rows;
}

function mergeOf(row: MergeRow, viewer: Viewer, { keys, nowMs }: MergeQuestion): MergeRequest {
  const { id, clientId } = row;
  const isNamed = viewer.role === 'ADMIN' && clientId !== null;
  const hash = row.hasFile
    ? signVideo(
        keys,
        {
          fragmentId: id,
          variant: 'merged',
          userId: viewer.userId,
          sessionId: viewer.sessionId,
        },
        nowMs,
      )
    : null;
  return {
    id,
    status: row.status,
    from: row.fromTime.toISOString(),
    to: row.toTime.toISOString(),
    processed: row.processed,
    created_at: row.createdAt.toISOString(),
    client_id: clientId,
    client: isNamed
      ? { id: clientId, name: row.clientName ?? '', surname: row.clientSurname }
      : null,
    workplace: { id: row.busId, name: row.workplace, description: row.description },
    camera: { id: row.cameraId, name: row.camera },
    timezone: row.timezone,
    progress: row.progress,
    fail_reason: row.failReason as MergeFailure | null,
    fragments: row.fragments,
    size_bytes: row.sizeBytes,
    duration_ms: row.durationMs,
    sha256: row.sha256?.toString('hex') ?? null,
    download: hash === null ? null : `/api/concatenated-medias/download/${id}?hash=${hash}`,
    expires_at: row.hasFile ? (row.expiresAt?.toISOString() ?? null) : null,
  };
}
