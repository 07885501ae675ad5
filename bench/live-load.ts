// The load of a live fleet: units that send batches at intervals over persistent connections, and people who look at
// buses as the web does. A process of its own, so that its CPU time does not count as the server's.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { type Said, saidIn } from './street.ts';

/** The process gets this at its start. */
export interface LiveLoad {
  readonly url: string;
  readonly units: readonly { readonly credential: string; readonly phaseS: number }[];
  /** How often each sends. */
  readonly everyMs: number;
  /** Buses that somebody looks at, and the day that is shown. */
  readonly watched: readonly number[];
  readonly date: string;
  readonly token: string;
}

/** The process tells this about the time since it was asked the last time. */
export interface LiveReport {
  /** From the first byte sent to the last of the acknowledgement, ms. */
  readonly acknowledgedMs: readonly number[];
  readonly records: number;
  readonly looks: number;
  /** Answers that were no success, by their first line. */
  readonly failures: readonly string[];
}

/** As in web/src: the position of the bus, its laps, the same while they are being worked out, its day, the bus. */
const POSITION_MS = 1000;
const LAPS_MS = 5000;
const PENDING_LAPS_MS = 2000;
const SEGMENTS_MS = 5000;
const BUS_MS = 15_000;
const MOST_FAILURES = 20;

let report = emptyReport();

function emptyReport() {
  return { acknowledgedMs: [] as number[], records: 0, looks: 0, failures: [] as string[] };
}

/** The session of those who look; a token is valid for a quarter of an hour. */
let token = '';

process.on('message', (message: LiveLoad | 'report' | { readonly token: string }) => {
  if (message === 'report') {
    process.send?.(report);
    report = emptyReport();
    return;
  }
  token = message.token;
  if (!('units' in message)) return;
  const { units, everyMs, watched } = message;
  units.forEach((unit, index) => {
    void goOn(() => sendFor(message, unit, (index / units.length) * everyMs));
  });
  watched.forEach((busId, index) => {
    void goOn(() => lookAt(message, busId, (index / watched.length) * LAPS_MS));
  });
});
// The process that started it is gone.
process.on('disconnect', () => process.exit(0));

async function goOn(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    process.stderr.write(`the load ended: ${String(error)}\n`);
    process.exit(1);
  });
}

async function sendFor(
  { url, everyMs }: LiveLoad,
  { credential, phaseS }: LiveLoad['units'][number],
  delayMs: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const stream = randomUUID();
  let waiting: Said[] = [];
  let nextSeq = 1;
  let nextSecond = Math.floor((Date.now() + delayMs - everyMs) / 1000);
  let dueMs = performance.now() + delayMs;
  for (;;) {
    await pause(Math.max(0, dueMs - performance.now()));
    dueMs += everyMs;
    for (; nextSecond * 1000 <= Date.now(); nextSecond += 1) {
      for (const one of saidIn(nextSecond, phaseS)) {
        waiting.push({ ...one, seq: nextSeq });
        nextSeq += 1;
      }
    }
    const body = { stream, sent_at: new Date().toISOString(), records: waiting };
    const packed = gzipSync(JSON.stringify(body));
    const startMs = performance.now();
    const answer = await call(agent, `${url}/unit/v1/batches`, credential, packed);
    report.acknowledgedMs.push(performance.now() - startMs);
    if (answer === undefined) continue;
    const { refused } = JSON.parse(answer) as BatchAnswer;
    if (refused.length > 0) fail(`refused: ${JSON.stringify(refused[0])}`);
    report.records += waiting.length;
    waiting = [];
  }
}

async function lookAt({ url, date }: LiveLoad, busId: number, delayMs: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const every = async (address: string, waitMs: (answer: string) => number): Promise<void> => {
    for (;;) {
      const answer = (await call(agent, url + address, token)) ?? '';
      report.looks += 1;
      await pause(waitMs(answer));
    }
  };
  await pause(delayMs);
  const day = `workplaceId=${busId}&date=${date}`;
  await Promise.all([
    every(`/api/gps?busId=${busId}`, () => POSITION_MS),
    every(`/api/bus-stop/day-laps?${day}`, (answer) =>
      isFirstPending(answer) ? PENDING_LAPS_MS : LAPS_MS,
    ),
    every(`/api/segments/day-segments?${day}`, () => SEGMENTS_MS),
    every(`/api/bus/info/${busId}?date=${date}`, () => BUS_MS),
  ]);
}

// A page hurries only for the first laps of today.
function isFirstPending(answer: string): boolean {
  if (answer === '') return false;
  const { pending, items } = JSON.parse(answer) as { pending: boolean; items: unknown[] };
  return pending && items.length === 0;
}

function fail(what: string): void {
  if (report.failures.length < MOST_FAILURES) report.failures.push(what);
}

// Undefined when it was no success: a unit keeps what it has and sends it with the next batch.
function call(
  agent: Agent,
  url: string,
  bearer: string,
  packed?: Buffer,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      ...(packed && {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': packed.length,
      }),
    };
    const failed = (what: string): void => {
      fail(`${new URL(url).pathname}: ${what}`);
      resolve(undefined);
    };
    request(url, { agent, method: packed ? 'POST' : 'GET', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', (error) => failed(error.message));
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode < 400) resolve(text);
        else failed(`${statusCode} ${text}`);
      });
    })
      .on('error', (error) => failed(error.message))
      .end(packed);
  });
}
