import type { CommandKind, UnitCommand } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

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

/** Takes back what a unit has not finished of fetching a fragment. */
export async function cancelCommands(tx: Db, segmentId: number, atMs: number): Promise<void> {
  await tx
    .updateTable('unit_commands')
    .set({ finished_at: new Date(atMs), result: 'cancelled' })
    .where('segment_id', '=', segmentId)
    .where('finished_at', 'is', null)
    .execute();
}
