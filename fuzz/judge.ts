// Decides whether the description allows an answer.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Description, Operation } from './description.ts';
import { faultOf } from './shape.ts';
import type { Answer } from './wire.ts';

/** Most time of an answer, ms. */
const SLOW_MS = 10_000;

/** Judges an answer. @returns the fault in one sentence; undefined for none */
export function judge(
  description: Description,
  operation: Operation | undefined,
  answer: Answer,
): string | undefined {
  const { status, body, ms } = answer;
  if (status >= 500) return `status ${status}: ${body.toString('utf8').slice(0, 200)}`;
  if (ms > SLOW_MS) return 'slower than 10 s';
  // Without a call only the errors of `nowhere` are allowed.
  const described = (operation?.responses ?? nowhere)[status];
  if (described === undefined) return `status ${status} is not described`;
  const types = Object.keys(described.content ?? {});
  if (types.length === 0 || operation?.method === 'HEAD') {
    return body.length === 0 ? undefined : `status ${status} has a body`;
  }
  if (body.length === 0 && described['x-empty'] !== undefined) return undefined;
  const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!types.includes(type)) return `status ${status} is ${type}, not ${types.join(' or ')}`;
  const schema = described.content?.[type]?.schema;
  if (schema === undefined) return undefined;
  const value = readJson(unpacked(answer));
  if (value === undefined) return `status ${status} is not JSON`;
  const fault = faultOf(schema, value, description.schemas);
  return fault === undefined ? undefined : `status ${status}: ${fault}`;
}

const ofError = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
/** Answers at an address without a call, or at one that cannot be parsed. */
const nowhere: Operation['responses'] = {
  400: ofError,
  404: ofError,
  // Headers that never end or are too large belong to no call.
  408: ofError,
  431: ofError,
};

function unpacked({ headers, body }: Answer): Buffer {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body);
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The caller reports it.
    return undefined;
  }
}
