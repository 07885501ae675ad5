// Makes the calls of a unit, with its credential, a timeout, and errors that say whether another attempt can help.
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { addressOf } from '@ridewatch/contract/address';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { type Batch, BatchAnswer, sendBatch, unitMe } from '@ridewatch/contract/unit';
import {
  acknowledgeCommand,
  pollCommands,
  type UnitCommand,
} from '@ridewatch/contract/unit-commands';
import * as z from 'zod/mini';

const compress = promisify(gzip);
const TIMEOUT_MS = 60_000;

/** A call that did not succeed. */
export class UplinkError extends Error {
  /** HTTP status of the answer; 0 without an answer. */
  readonly status: number;
  /** The server's error code; empty without one. */
  readonly code: string;

  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UplinkError';
    this.status = status;
    this.code = code;
  }

  /** Whether a retry may succeed: there was no answer, or the server was busy or failed. */
  get isTransient(): boolean {
    return this.status === 0 || [408, 423, 429].includes(this.status) || this.status >= 500;
  }
}

export interface ConnectionOptions {
  /** Address of the server, such as `https://buses.example`. */
  url: string;
  credential: string;
  /** Timeout of a call, ms. */
  timeoutMs?: number;
}

/** A unit's calls to its server. One connection serves a whole unit. */
export interface Connection {
  request(path: string, init: RequestInit, timeoutMs?: number): Promise<Response>;
  me(): Promise<ResponseOf<typeof unitMe>>;
  sendBatch(batch: Batch): Promise<BatchAnswer>;
  pollCommands(waitS: number, signal?: AbortSignal): Promise<UnitCommand[]>;
  acknowledge(
    commandId: number,
    result: 'accepted' | 'done' | 'failed',
    reason?: string,
    /** Another attempt cannot help. */
    isFinal?: boolean,
  ): Promise<void>;
}

/** Creates a connection; the first call opens it. Every method throws UplinkError. */
export function connect({
  url,
  credential,
  timeoutMs = TIMEOUT_MS,
}: ConnectionOptions): Connection {
  const base = url.replace(/\/+$/, '');

  const request: Connection['request'] = async (path, init, ownTimeoutMs = timeoutMs) => {
    const limit = AbortSignal.timeout(ownTimeoutMs);
    let response: Response;
    try {
      response = await fetch(path.startsWith('http') ? path : base + path, {
        ...init,
        headers: { authorization: `Bearer ${credential}`, ...init.headers },
        signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
      });
    } catch (cause) {
      throw new UplinkError(`The server at ${base} did not answer.`, 0, '', { cause });
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };

  const json = async <S extends z.ZodMiniType>(
    path: string,
    init: RequestInit,
    schema: S,
    ownTimeoutMs?: number,
  ): Promise<z.output<S>> => {
    const response = await request(path, init, ownTimeoutMs);
    try {
      return schema.parse(await response.json());
    } catch (cause) {
      // A truncated or foreign answer does not show that anything was stored, so the call is repeated.
      throw new UplinkError('The answer is not valid JSON of the contract.', 0, '', { cause });
    }
  };

  return {
    request,
    me: () => json(unitMe.path, {}, schemaOf(unitMe.response)),
    sendBatch: async (batch) => {
      const body = await compress(JSON.stringify(batch), { level: constants.Z_BEST_SPEED });
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return json(sendBatch.path, { method: 'POST', headers, body }, BatchAnswer);
    },
    pollCommands: async (waitS, signal) => {
      const answer = await json(
        addressOf(pollCommands, { query: { wait: waitS } }),
        signal === undefined ? {} : { signal },
        schemaOf(pollCommands.response),
        waitS * 1000 + timeoutMs,
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
  if (schema === undefined) throw new Error('The call has no answer.');
  return schema;
}

const ErrorAnswer = z.object({ error: z.string(), message: z.string() });

async function errorOf(response: Response): Promise<UplinkError> {
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
