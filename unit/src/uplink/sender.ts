// Sends the records of the outbox. A record leaves the outbox only when the server has acknowledged or refused it; a
// batch without an answer is sent again with the same numbers.
import {
  MAX_BATCH_RECORDS,
  type Refusal,
  type RefusalReason,
  type UnitRecord,
} from '@ridewatch/contract/unit';
import { backoffMs } from './backoff.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Outbox } from './outbox.ts';
import type { Timers } from './timers.ts';

export interface SenderOptions {
  connection: Pick<Connection, 'sendBatch'>;
  outbox: Outbox;
  timers: Timers;
  /** Most records of a batch; by default the contract's limit. */
  batchRecords?: number;
  /**
   * The time of the oldest record that the unit has still to send after a batch, ms since 1970 UTC; null: none. Unless
   * given, batches do not say. @param waiting records of the outbox that are not in the batch
   */
  backlogFromMs?: (waiting: number) => number | null;
  /** The version of the unit's program; batches do not say unless given. */
  firmware?: string | undefined;
  /** Called for every refused record. */
  onRefused?: (refusal: Refusal, record: UnitRecord | undefined) => void;
  /** Called after every failed attempt. @param waitMs backoff before the next one */
  onFailure?: (error: UplinkError, waitMs: number) => void;
  random?: () => number;
}

export interface Sender {
  /**
   * Sends until nothing in the outbox is due or the signal is aborted.
   * @returns the number of records that the server stored
   * @throws UplinkError when the server refuses a whole batch and a retry cannot help
   */
  flush(signal?: AbortSignal): Promise<number>;
}

/**
 * Refusals that end: somebody sets the camera up, or places the records that the server keeps aside. Such a record is
 * postponed, ms.
 */
const LATER: ReadonlySet<string> = new Set<RefusalReason>(['unknown_camera', 'aside_full']);
const HOLD_MS = 10 * 60_000;

/** After this many successive full batches the limit doubles. */
const GROW_AFTER = 8;

/** Creates the sender of one unit; its calls must not overlap. */
export function createSender(options: SenderOptions): Sender {
  const { connection, outbox, timers, onRefused, onFailure } = options;
  const most = options.batchRecords ?? MAX_BATCH_RECORDS;
  let limit = most;
  let fullBatches = 0;
  let failures = 0;

  // A backlog of many days needs small batches; later records do not.
  const shrink = (sent: number): void => {
    limit = Math.ceil(Math.min(limit, sent) / 2);
    fullBatches = 0;
  };
  const grow = (sent: number): void => {
    if (sent < limit || limit === most) return;
    fullBatches += 1;
    if (fullBatches < GROW_AFTER) return;
    limit = Math.min(2 * limit, most);
    fullBatches = 0;
  };

  const sendOnce = async (stream: string, records: UnitRecord[]): Promise<number> => {
    const sentAt = new Date(timers.nowMs()).toISOString();
    const fromMs = options.backlogFromMs?.(outbox.size - records.length);
    const answer = await connection.sendBatch({
      stream,
      sent_at: sentAt,
      ...(options.firmware !== undefined && { firmware: options.firmware }),
      ...(fromMs !== undefined && {
        backlog_from: fromMs === null ? null : new Date(fromMs).toISOString(),
      }),
      records,
    });
    failures = 0;
    const before = outbox.size;
    outbox.settle(stream, answer.acknowledged);
    const stored = before - outbox.size;
    let held = 0;
    for (const refusal of answer.refused) {
      const record = records[refusal.index];
      const seq = refusal.seq ?? record?.seq;
      if (seq !== undefined) {
        if (LATER.has(refusal.reason)) {
          outbox.hold(stream, seq, timers.nowMs() + HOLD_MS);
          held += 1;
        } else {
          outbox.settle(stream, [[seq, seq]]);
        }
      }
      onRefused?.(refusal, record);
    }
    if (outbox.size === before && held === 0) {
      throw new UplinkError('The server neither acknowledged nor refused any record.', 0, '');
    }
    return stored;
  };

  return {
    flush: async (signal) => {
      let stored = 0;
      while (!signal?.aborted) {
        const batch = outbox.peek(limit, timers.nowMs());
        if (batch === undefined) break;
        try {
          const count = await sendOnce(batch.stream, batch.records);
          stored += count;
          grow(batch.records.length);
        } catch (error) {
          if (!(error instanceof UplinkError)) throw error;
          if (error.status === 413 && limit > 1) {
            shrink(batch.records.length);
            continue;
          }
          if (!error.isTransient) throw error;
          failures += 1;
          const waitMs = backoffMs(failures, options.random?.());
          onFailure?.(error, waitMs);
          await timers.sleep(waitMs, signal);
        }
      }
      return stored;
    },
  };
}
