// What every call of a unit goes through: the credential, the limit of time, and the question whether another try can help.
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { addressOf } from '@ridewatch/contract/address';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import {
  acknowledgeCommand,
  type Batch,
  BatchAnswer,
  pollCommands,
  sendBatch,
  type UnitCommand,
  unitMe,
} from '@ridewatch/contract/unit';
import * as z from 'zod/mini';

const pack = promisify(gzip);
const PATIENCE_MS = 60_000;

/** A call that did not succeed. */
export class UplinkError extends Error {
  /** The answer's status; 0 when there was no answer. */
  readonly status: number;
  /** The server's error code, empty when there was none. */
  readonly code: string;

  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UplinkError';
    this.status = status;
    this.code = code;
  }

  /** Whether the same call may succeed later: no answer, a busy or a failing server. */
  get mayPass(): boolean {
    return this.status === 0 || [408, 423, 429].includes(this.status) || this.status >= 500;
  }
}

export interface ConnectionOptions {
  /** Where the server is, for instance `https://buses.example`. */
  url: string;
  credential: string;
  /** How long to wait for an answer, ms. */
  patienceMs?: number;
}

/** A unit's calls to its server; one is enough for everything that a unit does. */
export interface Connection {
  request(path: string, init: RequestInit, patienceMs?: number): Promise<Response>;
  me(): Promise<ResponseOf<typeof unitMe>>;
  sendBatch(batch: Batch): Promise<BatchAnswer>;
  pollCommands(waitS: number, signal?: AbortSignal): Promise<UnitCommand[]>;
  acknowledge(
    commandId: number,
    result: 'accepted' | 'done' | 'failed',
    reason?: string,
    /** Asking again cannot help. */
    isFinal?: boolean,
  ): Promise<void>;
}

/** Opens nothing yet: the first call does. Every method throws UplinkError. */
export function connect({
  url,
  credential,
  patienceMs = PATIENCE_MS,
}: ConnectionOptions): Connection {
  const base = url.replace(/\/+$/, '');

  const request: Connection['request'] = async (path, init, ownPatienceMs = patienceMs) => {
    const limit = AbortSignal.timeout(ownPatienceMs);
    let response: Response;
    try {
      response = await fetch(path.startsWith('http') ? path : base + path, {
        ...init,
        headers: { authorization: `Bearer ${credential}`, ...init.headers },
        signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
      });
    } catch (cause) {
      throw new UplinkError(`no answer from ${base}`, 0, '', { cause });
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  };

  const json = async <S extends z.ZodMiniType>(
    path: string,
    init: RequestInit,
    schema: S,
    ownPatienceMs?: number,
  ): Promise<z.output<S>> => {
    const response = await request(path, init, ownPatienceMs);
    try {
      return schema.parse(await response.json());
    } catch (cause) {
      // An answer that breaks off or is not ours: nothing is known to be stored, so the call is made again.
      throw new UplinkError('the answer cannot be read', 0, '', { cause });
    }
  };

  return {
    request,
    me: () => json(unitMe.path, {}, schemaOf(unitMe.response)),
    sendBatch: async (batch) => {
      const body = await pack(JSON.stringify(batch), { level: constants.Z_BEST_SPEED });
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return json(sendBatch.path, { method: 'POST', headers, body }, BatchAnswer);
    },
    pollCommands: async (waitS, signal) => {
      const answer = await json(
        addressOf(pollCommands, { query: { wait: waitS } }),
        signal === undefined ? {} : { signal },
        schemaOf(pollCommands.response),
        waitS * 1000 + patienceMs,
      );
      return answer.commands;
    },
    acknowledge: async (commandId, result, reason, isFinal) => {
      await request(addressOf(acknowledgeCommand, { params: { commandId } }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ result, reason, ...(isFinal ? { final: true } : {}) }),
      }).then((response) => response.body?.cancel());
    },
  };
}

function schemaOf<S>(schema: S | undefined): S {
  if (schema === undefined) throw new Error('the call has no answer to read');
  return schema;
}

const ErrorAnswer = z.object({ error: z.string(), message: z.string() });

async function refusalOf(response: Response): Promise<UplinkError> {
  const text = await response.text().catch(() => '');
  const parsed = z.safeParse(ErrorAnswer, readJson(text));
  const { error, message } = parsed.success ? parsed.data : { error: '', message: text };
  return new UplinkError(`${response.status} ${error} ${message}`.trim(), response.status, error);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
