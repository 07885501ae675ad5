import type { Db, Tx } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { letGo } from '../../fetching/cancel-preload.ts';
import { failTry } from '../../fetching/tries.ts';
import { failLiveStart } from '../../live/streams.ts';

export interface CommandWord {
  readonly result: 'accepted' | 'done' | 'failed';
  /** Why it failed, in the unit's words. */
  readonly reason?: string | undefined;
  /** Asking again cannot help. */
  readonly final?: boolean | undefined;
  /** Why it failed, where the server knows it better than the unit. */
  readonly failReason?:
    | 'no_answer'
    | 'no_channel'
    | 'no_recording'
    | 'uploads_not_set_up'
    | undefined;
  /** With `failed`: the unit may resume its upload. */
  readonly keepsBytes?: boolean | undefined;
}

/**
 * Acknowledges a command; idempotent.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError not_found, also for another unit's command; conflict when it ended differently
 */
export async function acknowledge(
  db: Db,
  unitId: number,
  commandId: number,
  word: CommandWord,
  nowMs: number,
): Promise<void> {
  const cancelledId = await db.transaction().execute(async (tx) => {
    await lockFragmentOf(tx, commandId);
    const command = await tx
      .selectFrom('unit_commands')
      .select(['segment_id', 'kind', 'live_key', 'preload_id', 'finished_at', 'result'])
      .where('id', '=', commandId)
      .where('unit_id', '=', unitId)
      .forUpdate()
      .executeTakeFirst();
    if (command === undefined) throw notFound();
    if (command.finished_at !== null) {
      if (word.result === command.result || word.result === 'accepted') {
        return null;
      }
      throw new AppError('conflict', `The command is already ${command.result}.`);
    }
    const now = new Date(nowMs);
    await tx
      .updateTable('unit_commands')
      .set(
        word.result === 'accepted'
          ? { accepted_at: now }
          : {
              ...{ finished_at: now, result: word.result, reason: word.reason ?? null },
              fail_reason: word.failReason ?? null,
            },
      )
      .where('id', '=', commandId)
      .execute();
    if (command.kind === 'start_live' && command.live_key && word.result === 'failed') {
      await failLiveStart(tx, command.live_key, word.reason, nowMs);
    }
    if (command.segment_id === null || word.result === 'accepted') {
      return word.result === 'done' ? command.preload_id : null;
    }
    if (word.result === 'done') await checkPromise(tx, command.segment_id, nowMs);
    else {
      await failTry(tx, command.segment_id, {
        reason: word.failReason ?? (word.final ? 'unit_gave_up' : 'unit_failed'),
        detail: word.reason,
        atMs: nowMs,
        isFinal: word.final ?? false,
        keepsBytes: word.keepsBytes ?? false,
      });
    }
    return null;
  });
  // An upload chunk or an announcement may come after the request was cancelled and before the unit knows.
  if (cancelledId !== null) await letGo(db, cancelledId, nowMs);
}

// The fragment before its command: everybody who requests video locks in this order.
async function lockFragmentOf(tx: Tx, commandId: number): Promise<void> {
  await tx
    .selectFrom('segments')
    .innerJoin('unit_commands', 'unit_commands.segment_id', 'segments.id')
    .select('segments.id')
    .where('unit_commands.id', '=', commandId)
    .forUpdate('segments')
    .execute();
}

// A unit that has sent the video has at least created an upload.
async function checkPromise(tx: Tx, fragmentId: number, atMs: number): Promise<void> {
  const upload = await tx
    .selectFrom('uploads')
    .select('id')
    .where('segment_id', '=', fragmentId)
    .executeTakeFirst();
  if (upload !== undefined) return;
  await failTry(tx, fragmentId, { reason: 'nothing_sent', atMs });
}
