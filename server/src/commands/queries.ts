import type { CommandKind, UnitCommand } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { AppError, notFound } from '../errors.ts';
import { moveSegment } from '../segments/state.ts';

/** Channel on which processes hear of new commands; the payload is the unit's id. */
export const COMMANDS_CHANNEL = 'unit_commands';
/** An accepted command that is not finished is shown again after this long: the unit may have restarted, ms. */
const ACCEPTED_FOR_MS = 120_000;

/** Gives a unit something to do (`createdMs`: ms since 1970 UTC); whoever waits for it hears of it when the transaction commits. */
export async function insertCommand(
  tx: Db,
  command: { unitId: number; kind: CommandKind; segmentId?: number; createdMs: number },
): Promise<void> {
  await tx
    .insertInto('unit_commands')
    .values({
      unit_id: command.unitId,
      kind: command.kind,
      segment_id: command.segmentId ?? null,
      created_at: new Date(command.createdMs),
    })
    .execute();
  await sql`select pg_notify(${COMMANDS_CHANNEL}, ${String(command.unitId)})`.execute(tx);
}

/**
 * What a unit still has to do, the oldest first.
 * @param nowMs the present, ms since 1970 UTC
 */
export async function listOpenCommands(
  db: Db,
  unitId: number,
  nowMs: number,
): Promise<UnitCommand[]> {
  const forgotten = new Date(nowMs - ACCEPTED_FOR_MS);
  const rows = await db
    .selectFrom('unit_commands')
    .leftJoin('segments', 'segments.id', 'unit_commands.segment_id')
    .leftJoin('unit_streams', 'unit_streams.id', 'segments.stream_id')
    .leftJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select([
      'unit_commands.id',
      'kind',
      'unit_commands.created_at',
      'unit_streams.stream',
      'segments.seq',
      'cameras.stream_id as camera',
      'segments.sent_start',
      'segments.sent_end',
    ])
    .where('unit_commands.unit_id', '=', unitId)
    .where('finished_at', 'is', null)
    .where((eb) => eb.or([eb('accepted_at', 'is', null), eb('accepted_at', '<', forgotten)]))
    .orderBy('unit_commands.id')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    ...(row.stream === null || row.seq === null || row.camera === null
      ? {}
      : {
          // As the unit named it: its own clock, not the corrected one.
          segment: {
            stream: row.stream,
            seq: row.seq,
            camera: row.camera,
            start_time: row.sent_start?.toISOString() ?? '',
            end_time: row.sent_end?.toISOString() ?? '',
          },
        }),
  }));
}

/**
 * Takes a unit's word on a command. The same word twice is the same as once.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError not_found, also for another unit's command; conflict when it was finished otherwise
 */
export async function acknowledge(
  db: Db,
  unitId: number,
  commandId: number,
  word: { result: 'accepted' | 'done' | 'failed'; reason?: string | undefined },
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const command = await tx
      .selectFrom('unit_commands')
      .select(['segment_id', 'finished_at', 'result'])
      .where('id', '=', commandId)
      .where('unit_id', '=', unitId)
      .forUpdate()
      .executeTakeFirst();
    if (command === undefined) throw notFound();
    if (command.finished_at !== null) {
      if (word.result === command.result || word.result === 'accepted') return;
      throw new AppError('conflict', `The command is already ${command.result}.`);
    }
    const now = new Date(nowMs);
    await tx
      .updateTable('unit_commands')
      .set(
        word.result === 'accepted'
          ? { accepted_at: now }
          : { finished_at: now, result: word.result, reason: word.reason ?? null },
      )
      .where('id', '=', commandId)
      .execute();
    if (word.result === 'failed' && command.segment_id !== null) {
      await failFetch(tx, command.segment_id, word.reason, nowMs);
    }
  });
}

async function failFetch(
  tx: Db,
  segmentId: number,
  reason: string | undefined,
  atMs: number,
): Promise<void> {
  const segment = await tx
    .selectFrom('segments')
    .select('status')
    .where('id', '=', segmentId)
    .forUpdate()
    .executeTakeFirst();
  if (segment?.status !== 'DOWNLOADING_FROM_TASK') return;
  await moveSegment(tx, segmentId, 'DOWNLOAD_FAIL', {
    atMs,
    failReason: reason ?? 'The unit could not send the video.',
  });
}
