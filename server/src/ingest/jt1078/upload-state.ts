import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';

/** How far the upload is that a command asks for. */
export interface UploadState {
  readonly commandId: number;
  readonly fragmentId: number;
  /** The command has ended, by whomever. */
  readonly isFinished: boolean;
  /** All bytes have come. */
  readonly isWhole: boolean;
  /** When the terminal accepted the command or the last byte came, the later one, ms since 1970 UTC; 0: neither has. */
  readonly movedMs: number;
  /** When the upload began or its last byte came, the later one, ms since 1970 UTC; 0: none has begun. */
  readonly receivedMs: number;
  /** A data connection is open: some process receives the file. */
  readonly isComing: boolean;
  readonly receivedBytes: number;
  /** An upload of the fragment has begun, if only without a byte. */
  readonly hasBegun: boolean;
}

interface Row {
  readonly commandId: number;
  readonly fragmentId: number;
  readonly finished_at: Date | null;
  readonly accepted_at: Date | null;
  readonly is_whole: boolean;
  readonly received_at: Date | null;
  readonly received_bytes: number | null;
  readonly is_coming: boolean;
}

/** All bytes of an upload have come. */
const IS_WHOLE = sql`(segments.status not in ('ADDED', 'DOWNLOADING_FROM_TASK', 'LOADING')
  or uploads.finished_at is not null)`;

/** The state of a command that asks for a fragment; undefined: there is none. */
export function findUpload(db: Db, commandId: number): Promise<UploadState | undefined> {
  return readState(db, sql`unit_commands.id = ${commandId}`);
}

/** The state of the command that a unit's terminal accepted last, if it has not ended. */
export function findAccepted(db: Db, unitId: number): Promise<UploadState | undefined> {
  return readState(
    db,
    sql`unit_commands.unit_id = ${unitId} and kind = 'fetch_segment'
      and unit_commands.finished_at is null and accepted_at is not null`,
  );
}

async function readState(db: Db, which: ReturnType<typeof sql>): Promise<UploadState | undefined> {
  const { rows } = await sql<Row>`
    select unit_commands.id as "commandId", segments.id as "fragmentId", unit_commands.finished_at,
      accepted_at, received_at, received_bytes,
      coalesce(uploads.lock_until > now(), false) as is_coming,
      ${IS_WHOLE} as is_whole
    from unit_commands join segments on segments.id = segment_id
    left join uploads on uploads.segment_id = segments.id
    where ${which}
    order by accepted_at desc nulls last, uploads.created_at desc nulls last limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { commandId, fragmentId, accepted_at, received_at } = row;
  return {
    ...{ commandId, fragmentId, isFinished: row.finished_at !== null, isWhole: row.is_whole },
    movedMs: Math.max(Number(accepted_at), Number(received_at)),
    ...{ receivedMs: Number(received_at), isComing: row.is_coming },
    ...{ receivedBytes: row.received_bytes ?? 0, hasBegun: row.received_bytes !== null },
  };
}

/** A running upload. */
interface RunningUpload {
  readonly commandId: number;
  /** Its last byte, or the word that the terminal has accepted it, is later, ms since 1970 UTC. */
  readonly movedAfterMs: number;
}

/** The commands of running uploads that move: neither the command nor the file has ended. */
export async function listSmooth(
  db: Db,
  running: readonly RunningUpload[],
): Promise<ReadonlySet<number>> {
  if (running.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select unit_commands.id from unnest(
      ${running.map(({ commandId }) => commandId)}::bigint[],
      ${running.map(({ movedAfterMs }) => new Date(movedAfterMs))}::timestamptz[])
      as running (command_id, moved_after)
    join unit_commands on unit_commands.id = command_id
    join segments on segments.id = segment_id
    left join uploads on uploads.segment_id = segments.id
    where unit_commands.finished_at is null
    group by unit_commands.id, moved_after
    having not bool_or(${IS_WHOLE}) and greatest(max(accepted_at), max(received_at)) > moved_after`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Takes back that a terminal has accepted a command, unless it has ended: the command is delivered again. */
export async function askAnew(db: Db, commandId: number): Promise<void> {
  await db
    .updateTable('unit_commands')
    .set({ accepted_at: null })
    .where('id', '=', commandId)
    .where('finished_at', 'is', null)
    .execute();
}
