// A batch of our own protocol. Each record is validated by itself, so that an invalid one does not cost the others.
import {
  type Batch,
  type BatchAnswer,
  MAX_BATCH_RECORDS,
  type Refusal,
} from '@ridewatch/contract/unit';
import { AppError } from '../../core/errors.ts';
import { inSlices } from '../../core/in-slices.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { type BatchFigures, countRecords } from '../store/batch-figures.ts';
import { clockOffsetMs } from '../store/place-times.ts';
import type { SentRecord } from '../store/records.ts';
import type { StoreRecords } from '../store/store-records.ts';
import {
  checkRecord,
  isRefusal,
  knownTypeOf,
  type OnDropped,
  readBacklog,
} from './check-record.ts';
import { correctTimes } from './correct-times.ts';
import { createFieldWarnings } from './field-warnings.ts';

/** Records validated in one go, about 1 ms. */
const RECORDS_AT_ONCE = 250;

export interface TakenBatch {
  readonly answer: BatchAnswer;
  readonly figures: BatchFigures;
}

/**
 * Takes a batch: validates its records and stores them.
 * @param receivedMs the server's clock at arrival
 * @throws AppError too_large; whatever `store` throws
 */
export async function takeBatch(
  store: StoreRecords,
  unit: KnownUnit,
  batch: Batch,
  receivedMs: number,
): Promise<TakenBatch> {
  if (batch.records.length > MAX_BATCH_RECORDS) {
    const message = `A batch has at most ${MAX_BATCH_RECORDS} records.`;
    throw new AppError('too_large', message, { field: 'records' });
  }
  const offsetMs = clockOffsetMs(Date.parse(batch.sent_at), receivedMs);
  const refused: Refusal[] = [];
  const sent: SentRecord[] = [];
  const warnings = createFieldWarnings();
  await inSlices(batch.records, RECORDS_AT_ONCE, (value, index) => {
    const onDropped: OnDropped = (type, field, message) =>
      warnings.add(type, field, message, index);
    const result = checkRecord(value, index, onDropped);
    if (isRefusal(result)) refused.push(result);
    else sent.push(result);
  });
  const said = readBacklog(batch.backlog_from, offsetMs, receivedMs);
  if (said === 'invalid') warnings.add(null, 'backlog_from', 'is not a moment', null);
  const { firmware = null } = batch;
  if (firmware !== null && typeof firmware !== 'string') {
    warnings.add(null, 'firmware', 'is not a text', null);
  }
  const backlogFromMs = said === 'invalid' ? undefined : said;
  const { timed, timeless, corrected } = correctTimes(sent, offsetMs, receivedMs);
  const aside = timeless.map((record) => ({ record, raw: batch.records[record.index] }));
  const stored = await store(unit, batch.stream, timed, receivedMs, backlogFromMs, aside);
  const unchecked = refused.map(({ index, reason }) => ({
    type: knownTypeOf(batch.records[index]) ?? 'unknown',
    outcome: reason,
  }));
  for (const { record, reason, field, message } of stored.refused) {
    refused.push({ index: record.index, seq: record.seq, reason, field, message });
  }
  const { records, seconds } = stored.figures;
  const dropped = warnings.list();
  return {
    answer: {
      server_time: new Date(receivedMs).toISOString(),
      acknowledged: stored.acknowledged.map(([first, last]) => [first, last]),
      refused: refused.sort((a, b) => a.index - b.index),
      ...(corrected.length > 0 && { corrected }),
      ...(stored.aside.length > 0 && { kept_aside: stored.aside.map(([a, b]) => [a, b]) }),
      ...(dropped.length > 0 && { warnings: dropped }),
    },
    figures: { records: [...records, ...countRecords(unchecked)], seconds, dropped },
  };
}
