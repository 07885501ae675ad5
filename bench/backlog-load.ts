// The load of a unit that was away for a year: it sends its backlog as fast as the server acknowledges it, in the
// largest batches that the server takes. A process of its own, like live-load.ts.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type BatchAnswer, MAX_BATCH_RECORDS } from '@ridewatch/contract/unit';
import { type Said, saidIn } from './street.ts';

/** The process gets this at its start; then it waits for 'go' and 'stay' in turn. */
export interface Backlog {
  readonly url: string;
  /** One after the other, should a year be over. */
  readonly credentials: readonly string[];
}

const YEAR_S = 365 * 86_400;
/** Standing and driving alike: about 600,000 records a year with the passengers. */
const EVERY_S = 60;
/** The seconds after each minute whose passengers go with it. */
const HEARD_S = 5;
const IDLE_MS = 20;

let isSending = false;
let batches = 0;

process.on('message', (message: Backlog | 'go' | 'stay') => {
  if (typeof message === 'object') void send(message);
  else isSending = message === 'go';
  if (message === 'stay') {
    process.send?.(batches);
    batches = 0;
  }
});
process.on('disconnect', () => process.exit(0));

async function send({ url, credentials }: Backlog): Promise<void> {
  // Packed once for all: a unit has a processor of its own, and making batches here would take the server's.
  const year = [...packedYear()];
  for (const credential of credentials) {
    const stream = randomUUID();
    for (const records of year) {
      while (!isSending) await pause(IDLE_MS);
      await sendPacked(url, credential, stream, records);
      batches += 1;
    }
  }
  throw new Error('all years are sent');
}

// gzip allows a file of several members (RFC 1952, 2.2), so the clock of the unit goes before the packed records.
async function sendPacked(
  url: string,
  credential: string,
  stream: string,
  records: Buffer,
): Promise<void> {
  const head = `{"stream":"${stream}","sent_at":"${new Date().toISOString()}","records":`;
  const response = await fetch(`${url}/unit/v1/batches`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: Buffer.concat([gzipSync(head), records, gzipSync('}')]),
  });
  if (!response.ok) throw new Error(`a batch: ${response.status} ${await response.text()}`);
  const { refused } = (await response.json()) as BatchAnswer;
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused[0])}`);
}

function* packedYear(): Generator<Buffer> {
  let seq = 1;
  for (const said of batchesOfYear()) {
    yield gzipSync(JSON.stringify(said.map((one, index) => ({ ...one, seq: seq + index }))));
    seq += said.length;
  }
}

function* batchesOfYear(): Generator<Said[]> {
  const startS = Math.floor(Date.now() / 1000) - YEAR_S;
  let batch: Said[] = [];
  for (let second = startS; second < startS + YEAR_S; second += EVERY_S) {
    for (let later = 0; later < HEARD_S; later += 1) {
      const [position, ...riders] = saidIn(second + later, 0);
      if (later === 0 && position !== undefined) batch.push(position);
      batch.push(...riders);
    }
    if (batch.length < MAX_BATCH_RECORDS - 2 * HEARD_S) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
