// Sends records in the OsmAnd form until each is answered as stored, as a phone does.
import * as z from 'zod/mini';
import { backoffMs } from '../uplink/backoff.ts';
import type { Timers } from '../uplink/timers.ts';
import { type OsmandRecord, osmandJson, osmandQuery } from './request.ts';

/** Records of a request in JSON. */
const MOST_TOGETHER = 100;
/** How long an answer is waited for, ms. */
const ANSWER_MS = 15_000;

export interface OsmandSenderOptions {
  /** The address, with the path of the product's own port if it is that one. */
  readonly url: string;
  readonly id: string;
  readonly form: 'query' | 'json';
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** How often a request is sent; until it is answered unless given. */
  readonly attempts?: number;
  readonly answerMs?: number;
  /** Wait after so many failures, ms; from half a second to a minute unless given. */
  readonly againMs?: (failures: number) => number;
}

export interface OsmandSender {
  /**
   * Sends records in their order: one a request in the query form, up to a hundred in JSON. It ends early when the
   * signal is aborted.
   * @throws Error when the server refuses one, or does not answer
   */
  send(records: readonly OsmandRecord[]): Promise<void>;
}

const Answer = z.object({
  field: z.optional(z.string()),
  message: z.optional(z.string()),
  refused: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});
type Answer = z.infer<typeof Answer>;

/** Makes the sender of a unit. */
export function createOsmandSender(options: OsmandSenderOptions): OsmandSender {
  const { url, id, form, timers, signal } = options;
  const {
    attempts = Number.POSITIVE_INFINITY,
    answerMs = ANSWER_MS,
    againMs = backoffMs,
  } = options;

  async function deliver(address: string, body: string | undefined): Promise<void> {
    for (let sent = 1; !signal.aborted; sent += 1) {
      const answer = await ask(address, body);
      if (answer?.status === 200) {
        const [refused] = answer.said.refused ?? [];
        if (refused === undefined) return;
        throw new Error(`The server refuses a record: ${refused.field} ${refused.message}`);
      }
      if (answer !== undefined && isFinal(answer)) throw refusalOf(answer);
      if (sent >= attempts) throw answer ? refusalOf(answer) : new Error('The server is silent.');
      await timers.sleep(againMs(sent), signal);
    }
  }

  // Undefined without an answer.
  async function ask(address: string, body: string | undefined) {
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
        ...(body !== undefined && {
          ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
        }),
      });
      return { status: response.status, said: readAnswer(await response.text()) };
    } catch {
      return undefined;
    }
  }

  return {
    send: async (records) => {
      if (form === 'query') {
        const start = `${url}${url.includes('?') ? '&' : '?'}`;
        for (const one of records) await deliver(`${start}${osmandQuery(id, one)}`, undefined);
        return;
      }
      for (let at = 0; at < records.length; at += MOST_TOGETHER) {
        const some = records.slice(at, at + MOST_TOGETHER);
        await deliver(url, JSON.stringify(osmandJson(id, some)));
      }
    },
  };
}

interface Answered {
  readonly status: number;
  readonly said: Answer;
}

// A unit may get its id later; a request that cannot be read stays so.
function isFinal({ status, said }: Answered): boolean {
  return status === 413 || (status === 400 && said.field !== 'id');
}

function refusalOf({ status, said: { field = '', message = '' } }: Answered): Error {
  return new Error(`The server answers ${status}: ${field} ${message}`);
}

function readAnswer(text: string): Answer {
  try {
    return Answer.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}
