// The program of the thread that stores large batches.
import { workerData } from 'node:worker_threads';
import { sendBatch } from '@ridewatch/contract/unit';
import { type Database, openDatabase } from '../../core/db/db.ts';
import { AppError, asPassing } from '../../core/errors.ts';
import { check } from '../../core/http/http.ts';
import { lowerPriority } from '../../core/lower-priority.ts';
import { createStore } from '../store/store-records.ts';
import type { LargeAnswer, LargeBatch } from './large-batches.ts';
import { parseJson, unpackLarge } from './read-body.ts';
import { takeBatch } from './take-batch.ts';
import { factsOf } from './unit-facts.ts';

/** A batch is one transaction, and what it reads before that needs no second connection. */
const CONNECTIONS = 1;

lowerPriority();
const { url, limits, name } = workerData as Pick<Database, 'url' | 'limits' | 'name'>;
// The next batch opens a new connection; if it cannot, the unit is told.
const database = openDatabase(url, CONNECTIONS, limits, () => undefined, name);
const store = createStore({ database });

/** Unpacks, validates and stores a batch. A refusal is an answer, too: errors lose their class on their way. */
export async function answer(asked: LargeBatch): Promise<LargeAnswer> {
  const { bytes, isPacked, unit, receivedMs } = asked;
  let unpackedBytes = 0;
  try {
    const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = unpackLarge(sent, isPacked);
    unpackedBytes = body.length;
    const batch = check(sendBatch.body, parseJson(body), '', sendBatch.apart);
    if (batch === undefined) throw new Error('a batch has a schema');
    const taken = await takeBatch(store, unit, batch, receivedMs);
    const facts = factsOf(batch, receivedMs);
    return { unpackedBytes, json: JSON.stringify(taken.answer), figures: taken.figures, facts };
  } catch (error) {
    const refusal = error instanceof AppError ? error : asPassing(error);
    if (refusal === undefined) throw error;
    const { code, message, field, retryAfterS } = refusal;
    const cause = refusal.cause instanceof Error ? refusal.cause.message : undefined;
    return { unpackedBytes, refusal: { code, message, field, retryAfterS, cause } };
  }
}
