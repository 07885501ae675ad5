// Sends what waits in the outbox until the server has it. A record leaves the outbox only when the server says that it
// is stored, or that it will never take it; a batch without an answer is sent again with the same numbers.
import { MAX_BATCH_RECORDS, type Refusal, type UnitRecord } from '@ridewatch/contract/unit';
import { backOffMs } from './backoff.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Outbox } from './outbox.ts';
import type { Timers } from './timers.ts';

export interface SenderOptions {
  connection: Pick<Connection, 'sendBatch'>;
  outbox: Outbox;
  timers: Timers;
  /** Records of one batch at most; the contract's limit unless given. */
  batchRecords?: number;
  /** Hears of every record that the server will not take. */
  onRefused?: (refusal: Refusal, record: UnitRecord | undefined) => void;
  /** Hears of every failed try. */
  onFailure?: (error: UplinkError, waitMs: number) => void;
  random?: () => number;
}

export interface Sender {
  /**
   * Sends until nothing in the outbox is due or the signal fires.
   * @returns how many records the server stored
   * @throws UplinkError when the server refuses the batch as a whole and will do so again
   */
  flush(signal?: AbortSignal): Promise<number>;
}

/** A camera that the server does not know yet may be set up meanwhile: its records rest for so long, ms. */
const HOLD_MS = 10 * 60_000;

/** After so many full batches in a row that were taken, the next one is twice as large again. */
const GROW_AFTER = 8;

/** Makes the sender of one unit; its calls must not overlap. */
export function createSender(options: SenderOptions): Sender {
  const { connection, outbox, timers, onRefused, onFailure } = options;
  const most = options.batchRecords ?? MAX_BATCH_RECORDS;
  let limit = most;
  let fullOnes = 0;
  let failures = 0;

  // A backlog of many days is sent in small batches; what comes after it need not be.
  const shrink = (sent: number): void => {
    limit = Math.ceil(Math.min(limit, sent) / 2);
    fullOnes = 0;
  };
  const grow = (sent: number): void => {
    if (sent < limit || limit === most) return;
    fullOnes += 1;
    if (fullOnes < GROW_AFTER) return;
    limit = Math.min(2 * limit, most);
    fullOnes = 0;
  };

  const sendOnce = async (stream: string, records: UnitRecord[]): Promise<number> => {
    const sentAt = new Date(timers.nowMs()).toISOString();
    const answer = await connection.sendBatch({ stream, sent_at: sentAt, records });
    failures = 0;
    const before = outbox.size;
    outbox.settle(stream, answer.acknowledged);
    const stored = before - outbox.size;
    let held = 0;
    for (const refusal of answer.refused) {
      const record = records[refusal.index];
      const seq = refusal.seq ?? record?.seq;
      if (seq !== undefined) {
        if (refusal.reason === 'unknown_camera') {
          outbox.hold(stream, seq, timers.nowMs() + HOLD_MS);
          held += 1;
        } else {
          outbox.settle(stream, [[seq, seq]]);
        }
      }
      onRefused?.(refusal, record);
    }
    if (outbox.size === before && held === 0) {
      throw new UplinkError('the server answered for none of the records', 0, '');
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
          if (!error.mayPass) throw error;
          failures += 1;
          const waitMs = backOffMs(failures, options.random?.());
          onFailure?.(error, waitMs);
          await timers.sleep(waitMs, signal);
        }
      }
      return stored;
    },
  };
}
