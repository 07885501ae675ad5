// Whether an answer is one that the description allows.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Description, Operation } from './description.ts';
import { faultOf } from './shape.ts';
import type { Heard } from './wire.ts';

/** Slower than this is a fault, ms. */
const SLOW_MS = 10_000;

/** @returns what is wrong with an answer, in one sentence; undefined: nothing */
export function judge(
  description: Description,
  operation: Operation | undefined,
  heard: Heard,
): string | undefined {
  const { status, body, ms } = heard;
  if (status >= 500) return `status ${status}: ${body.toString('utf8').slice(0, 200)}`;
  if (ms > SLOW_MS) return 'slower than 10 s';
  // No call is there: the one answer for that, and for addresses that cannot be read.
  const described = (operation?.responses ?? nowhere)[status];
  if (described === undefined) return `status ${status} is not described`;
  const types = Object.keys(described.content ?? {});
  if (types.length === 0 || operation?.method === 'HEAD') {
    return body.length === 0 ? undefined : `status ${status} has a body`;
  }
  const type = (heard.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!types.includes(type)) return `status ${status} is ${type}, not ${types.join(' or ')}`;
  const schema = described.content?.[type]?.schema;
  if (schema === undefined) return undefined;
  const value = readJson(unpacked(heard));
  if (value === undefined) return `status ${status} is no JSON`;
  const fault = faultOf(schema, value, description.schemas);
  return fault === undefined ? undefined : `status ${status}: ${fault}`;
}

const ofError = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const nowhere: Operation['responses'] = {
  400: ofError,
  404: ofError,
  // A head that stops coming, or that is too large, belongs to no call.
  408: ofError,
  431: ofError,
};

function unpacked({ headers, body }: Heard): Buffer {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body);
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The judge says that it is none.
    return undefined;
  }
}
