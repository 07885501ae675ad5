// A batch of our own protocol. Each record is validated by itself, so that an invalid one does not cost the others.
import { setImmediate } from 'node:timers/promises';
import type { Batch, BatchAnswer, Refusal } from '@ridewatch/contract/unit';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import type { CheckedRecord } from '../store/records.ts';
import type { StoreRecords } from '../store/store-records.ts';
import { checkRecord, clockOffsetMs, isRefusal, knownTypeOf } from './check-record.ts';

/** Records validated in one go, about 5 ms, before the event loop is free again. */
const RECORDS_AT_ONCE = 1000;

/**
 * Takes a batch: validates its records and stores them.
 * @param receivedMs the server's clock at arrival
 * @throws whatever `store` throws
 */
export async function takeBatch(
  { metrics }: Pick<Deps, 'metrics'>,
  store: StoreRecords,
  unit: KnownUnit,
  batch: Batch,
  receivedMs: number,
): Promise<BatchAnswer> {
  const offsetMs = clockOffsetMs(Date.parse(batch.sent_at), receivedMs);
  const refused: Refusal[] = [];
  const checked: CheckedRecord[] = [];
  for (const [index, value] of batch.records.entries()) {
    if (index > 0 && index % RECORDS_AT_ONCE === 0) await setImmediate();
    const result = checkRecord(value, index, offsetMs, receivedMs);
    if (isRefusal(result)) refused.push(result);
    else checked.push(result);
  }
  const stored = await store(unit, batch.stream, checked, receivedMs);
  for (const { index, reason } of refused) {
    metrics.records.labels(knownTypeOf(batch.records[index]) ?? 'unknown', reason).inc();
  }
  for (const { record, reason, field, message } of stored.refused) {
    refused.push({ index: record.index, seq: record.seq, reason, field, message });
  }
  return {
    server_time: new Date(receivedMs).toISOString(),
    acknowledged: stored.acknowledged.map(([first, last]) => [first, last]),
    refused: refused.sort((a, b) => a.index - b.index),
  };
}
