// Plays captured requests of the OsmAnd form over real HTTP, one after the other.
import * as z from 'zod/mini';
import { captureRows, readCaptureFile } from './capture-files.ts';
import { ATTEMPTS, type CaptureRun, createAdoptionWait, createTally } from './capture-run.ts';
import { RecordingError } from './columns.ts';
import { counted } from './counted.ts';

const ANSWER_MS = 15_000;
const AGAIN_MS = 5_000;
/** Statuses of a request whose identifier no unit has, among others: of a query, of JSON. */
const UNKNOWN: readonly number[] = [400, 404];
/** A target of a request begins with its path or with its query. */
const TARGET = /^[/?]/;

interface CapturedRequest {
  /** With its question mark; empty: none. */
  readonly query: string;
  /** Null: a GET. */
  readonly body: { readonly type: string; readonly text: string } | null;
}

interface Answered {
  readonly status: number;
  /** Whether its status is of 200 to 299. */
  readonly isOk: boolean;
  readonly text: string;
}

const Answer = z.object({ refused: z.optional(z.array(z.object({ index: z.number() }))) });

/**
 * Sends the requests of captures, each until it is answered.
 * @param url where the server takes them; captured paths are left out
 * @throws RecordingError for a file that cannot be read; Error when the server is not there or does not answer
 */
export async function replayOsmand(url: string, run: CaptureRun): Promise<void> {
  const { timers, signal, say, onFailure, answerMs = ANSWER_MS, againMs = AGAIN_MS } = run;
  const files = await Promise.all(run.captures.map(requestsOf));
  const requests = files.flat();
  say(counted(requests.length, 'request'));
  const statuses = createTally(run);
  const isAdopted = createAdoptionWait(run);
  let refused = 0;

  // The whole answer: a connection may end within its text.
  async function ask({ query, body }: CapturedRequest): Promise<Answered> {
    const response = await fetch(`${url}${query}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      ...(body !== null && {
        ...{ method: 'POST', body: body.text },
        headers: body.type === '' ? {} : { 'content-type': body.type },
      }),
    });
    return { status: response.status, isOk: response.ok, text: await response.text() };
  }

  async function deliver(request: CapturedRequest): Promise<void> {
    for (let sent = 1; !signal.aborted; sent += 1) {
      let cause: unknown;
      const answer = await ask(request).catch((error: unknown) => {
        cause = error;
        return undefined;
      });
      if (answer !== undefined && UNKNOWN.includes(answer.status) && (await isAdopted())) continue;
      if (answer !== undefined && answer.status < 500) {
        const indexes = refusedIn(answer.text);
        // Of an element of which a record was refused, the answer does not say whether another was stored.
        const isRefused = !answer.isOk || new Set(indexes).size >= elementsOf(request);
        statuses.add(answer.status, isRefused);
        refused += indexes.length;
        return;
      }
      const status = answer === undefined ? '' : ` (${answer.status})`;
      if (sent >= ATTEMPTS) throw new Error(`The server does not answer${status}.`, { cause });
      onFailure(cause ?? new Error(`the server answers ${answer?.status}`), againMs);
      await timers.sleep(againMs, signal);
    }
  }

  try {
    for (const request of requests) await deliver(request);
  } finally {
    statuses.say('request', 'answered with');
    if (refused > 0) say(`${counted(refused, 'record')} refused`);
  }
  statuses.check();
}

/** The elements of a request that an answer refuses. */
function refusedIn(text: string): number[] {
  return Answer.safeParse(jsonOf(text)).data?.refused?.map(({ index }) => index) ?? [];
}

/** How many elements a request has: those of a list of JSON, else one. */
function elementsOf({ body }: CapturedRequest): number {
  const list = jsonOf(body?.text ?? '');
  return Array.isArray(list) ? Math.max(1, list.length) : 1;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function requestsOf(file: string): Promise<CapturedRequest[]> {
  const bytes = await readCaptureFile(file);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (TARGET.test(text)) {
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    return lines.map((line, n) => {
      if (TARGET.test(line)) return { query: queryOf(line), body: null };
      throw new RecordingError(`${file}, line ${n + 1} is no target of a request.`);
    });
  }
  return captureRows(file, bytes).map(({ method, content_type, url_or_body }, n) => {
    if (method === undefined || url_or_body === undefined) {
      throw new RecordingError(`${file}, row ${n + 1}: method and url_or_body are missing.`);
    }
    if (method.toUpperCase() === 'GET') return { query: queryOf(url_or_body), body: null };
    // A body in the address is a POST of the query form.
    return TARGET.test(url_or_body)
      ? { query: queryOf(url_or_body), body: { type: content_type ?? '', text: '' } }
      : { query: '', body: { type: content_type ?? '', text: url_or_body } };
  });
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}
