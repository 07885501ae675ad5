import { LIVE_PATH } from '@ridewatch/contract/unit';
import { CommandKind, type UnitCommand } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { waitedTooLong } from './waits.ts';

/** Channel of notifications of new commands; the payload is the unit's id. */
export const COMMANDS_CHANNEL = 'unit_commands';
/** Channel of notifications that somebody begins to listen to a unit. */
export const FEED_CHANNEL = 'unit_feed';
/** In place of an HTTP status, of a message in a protocol other than the unit interface. */
export const NO_STATUS = 0;
/** An accepted command that is not finished is delivered again after this time, ms: the unit may have restarted. */
const ACCEPTED_FOR_MS = 120_000;
/** A command without a fragment expires after this time, ms; one for a range after that of waits.ts. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

interface NewCommand {
  readonly unitId: number;
  readonly kind: CommandKind;
  readonly fragmentId?: number;
  readonly cameraId?: number;
  /** ms since 1970 UTC, by the server's clock and by the unit's. */
  readonly range?: Readonly<Record<'startMs' | 'endMs' | 'sentStartMs' | 'sentEndMs', number>>;
  /** Of stop_fetch: the cancelled commands, and the cancelled request. */
  readonly stops?: readonly number[];
  readonly preloadId?: number;
  /** The stream of start_live and stop_live. */
  readonly liveKey?: string;
  /** ms since 1970 UTC. */
  readonly createdMs: number;
}

/** Inserts a command for a unit; its long-poll is notified when the transaction commits. @returns the command's id */
export async function insertCommand(tx: Db, command: NewCommand): Promise<number> {
  const { range } = command;
  const { id } = await tx
    .insertInto('unit_commands')
    .values({
      unit_id: command.unitId,
      kind: command.kind,
      segment_id: command.fragmentId ?? null,
      camera_id: command.cameraId ?? null,
      live_key: command.liveKey ?? null,
      stops: command.stops === undefined ? null : [...command.stops],
      preload_id: command.preloadId ?? null,
      created_at: new Date(command.createdMs),
      ...(range === undefined
        ? {}
        : {
            range_start: new Date(range.startMs),
            range_end: new Date(range.endMs),
            sent_start: new Date(range.sentStartMs),
            sent_end: new Date(range.sentEndMs),
          }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${COMMANDS_CHANNEL}, ${String(command.unitId)})`.execute(tx);
  return id;
}

/**
 * The open commands of a unit, the oldest first.
 * @param nowMs the present, ms since 1970 UTC
 * @param kinds only these
 */
export async function listOpenCommands(
  db: Db,
  unitId: number,
  nowMs: number,
  kinds: readonly CommandKind[] = CommandKind.options,
): Promise<UnitCommand[]> {
  const forgotten = new Date(nowMs - ACCEPTED_FOR_MS);
  const rows = await db
    .selectFrom('unit_commands')
    .leftJoin('segments', 'segments.id', 'unit_commands.segment_id')
    .leftJoin('unit_streams', 'unit_streams.id', 'segments.stream_id')
    .leftJoin('cameras', (join) =>
      join.on('cameras.id', '=', sql`coalesce(segments.camera_id, unit_commands.camera_id)`),
    )
    .select([
      'unit_commands.id',
      'kind',
      'unit_commands.created_at',
      'unit_commands.sent_start as rangeStart',
      'unit_commands.sent_end as rangeEnd',
      'live_key',
      'stops',
      'unit_streams.stream',
      'segments.seq',
      'cameras.stream_id as camera',
      'segments.sent_start',
      'segments.sent_end',
    ])
    .where('unit_commands.unit_id', '=', unitId)
    .where('kind', 'in', [...kinds])
    .where('finished_at', 'is', null)
    .where((eb) => eb.or([eb('accepted_at', 'is', null), eb('accepted_at', '<', forgotten)]))
    .where((eb) =>
      eb.or([
        eb('segment_id', 'is not', null),
        eb('unit_commands.created_at', '>', new Date(nowMs - FORGOTTEN_AFTER_MS)),
        eb.and([
          eb('kind', '=', 'fetch_range'),
          eb('unit_commands.created_at', '>', waitedTooLong(nowMs, sql`${unitId}::bigint`)),
        ]),
      ]),
    )
    .orderBy('unit_commands.id')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    ...detailsOf(row),
  }));
}

interface CommandRow {
  readonly stream: string | null;
  readonly seq: number | null;
  readonly camera: string | null;
  readonly sent_start: Date | null;
  readonly sent_end: Date | null;
  readonly rangeStart: Date | null;
  readonly rangeEnd: Date | null;
  readonly live_key: string | null;
  readonly stops: number[] | null;
}

// Fragments and ranges by the unit's own clock, not the corrected one.
function detailsOf(row: CommandRow): Pick<UnitCommand, 'segment' | 'range' | 'stop' | 'live'> {
  const { camera } = row;
  const span = (start: Date | null, end: Date | null) => ({
    start_time: start?.toISOString() ?? '',
    end_time: end?.toISOString() ?? '',
  });
  if (row.stops !== null) return { stop: { commands: row.stops } };
  if (camera === null) return {};
  if (row.stream !== null && row.seq !== null) {
    const { stream, seq } = row;
    return { segment: { stream, seq, camera, ...span(row.sent_start, row.sent_end) } };
  }
  if (row.rangeStart !== null) return { range: { camera, ...span(row.rangeStart, row.rangeEnd) } };
  if (row.live_key !== null) return { live: { camera, path: `${LIVE_PATH}/${row.live_key}` } };
  return {};
}

/** Cancels a unit's unfinished requests for fragments. */
export async function cancelCommands(
  tx: Db,
  fragmentIds: readonly number[],
  atMs: number,
): Promise<void> {
  await tx
    .updateTable('unit_commands')
    .set({ finished_at: new Date(atMs), result: 'cancelled' })
    .where(sql<boolean>`segment_id = any(${[...fragmentIds]}::bigint[])`)
    .where('finished_at', 'is', null)
    .execute();
}

/**
 * Asks a unit for the videos of fragments, one command each; its long-poll is notified when the transaction commits.
 * @param createdMs ms since 1970 UTC
 */
export async function insertFetchCommands(
  tx: Db,
  unitId: number,
  fragmentIds: readonly number[],
  createdMs: number,
): Promise<void> {
  await sql`insert into unit_commands (unit_id, kind, segment_id, created_at)
    select ${unitId}::bigint, 'fetch_segment', segment_id, ${new Date(createdMs)}::timestamptz
    from unnest(${[...fragmentIds]}::bigint[]) as asked (segment_id)`.execute(tx);
  await sql`select pg_notify(${COMMANDS_CHANNEL}, ${String(unitId)})`.execute(tx);
}
