// Parser of multipart/form-data (RFC 7578). The platform's takes quadratic time in the number of parts and has no limit
// on them.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { readBytes } from './read-bytes.ts';

/** The largest form of the contract has eight fields. */
export const MAX_FORM_PARTS = 64;
/** The header of a part holds two names and a media type. */
const MAX_HEAD_BYTES = 8 * 1024;

/**
 * Parses multipart/form-data into an object: texts and files by field name, repeated fields as arrays. A body is as
 * large as its call allows, so it is held in memory.
 */
export function readMultipart(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(payload, request.routeOptions.bodyLimit);
      return fieldsOf(body, request.headers['content-type'] ?? '');
    },
  );
}

type Field = string | File;

/**
 * The fields of a form, in linear time.
 * @param type the Content-Type header
 * @throws AppError invalid_request when it is not such a form, too_large when it has too many parts
 */
export function fieldsOf(body: Buffer, type: string): Record<string, Field | Field[]> {
  const fields: Record<string, Field | Field[]> = Object.create(null);
  for (const { name, value } of partsOf(body, boundaryOf(type))) {
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}

// RFC 2046, 5.1.1: at most 70 characters.
function boundaryOf(type: string): string {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(type);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw noForm();
  return boundary;
}

interface Part {
  readonly name: string;
  readonly value: Field;
}

function* partsOf(body: Buffer, boundary: string): Generator<Part> {
  const dashes = Buffer.from(`--${boundary}`, 'latin1');
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary is at the beginning or after a preamble, which is ignored.
  const isFirst = body.subarray(0, dashes.length).equals(dashes);
  let at = isFirst ? dashes.length : after(body, delimiter, 0);
  for (let count = 0; !startsWith(body, at, '--'); count += 1) {
    if (count === MAX_FORM_PARTS) {
      throw new AppError('too_large', `A form may have at most ${MAX_FORM_PARTS} parts.`);
    }
    // A boundary may be followed by blanks.
    while (body[at] === 0x20 || body[at] === 0x09) at += 1;
    if (!startsWith(body, at, '\r\n')) throw noForm();
    const headBytes = body.subarray(at, at + MAX_HEAD_BYTES).indexOf('\r\n\r\n');
    if (headBytes < 0) throw noForm();
    const head = body.toString('utf8', at, at + headBytes);
    const start = at + headBytes + 4;
    at = after(body, delimiter, start);
    yield partOf(head, body.subarray(start, at - delimiter.length));
  }
}

function after(body: Buffer, sought: Buffer, from: number): number {
  const found = body.indexOf(sought, from);
  if (found < 0) throw noForm();
  return found + sought.length;
}

function startsWith(body: Buffer, at: number, text: '--' | '\r\n'): boolean {
  return body[at] === text.charCodeAt(0) && body[at + 1] === text.charCodeAt(1);
}

function partOf(head: string, bytes: Buffer): Part {
  const disposition = lineOf(head, 'content-disposition');
  const name = parameterOf(disposition, 'name');
  if (name === undefined || !/^form-data\s*(?:;|$)/i.test(disposition)) throw noForm();
  const filename = parameterOf(disposition, 'filename');
  if (filename === undefined) return { name, value: textOf(bytes) };
  const type = lineOf(head, 'content-type') || 'text/plain';
  return { name, value: new File([new Uint8Array(bytes)], filename, { type }) };
}

function lineOf(head: string, name: string): string {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return '';
}

// Browsers escape these three characters of a name so (HTML, 4.10.21.8) and leave a backslash as it is; others escape a
// quote with a backslash.
const written: Readonly<Record<string, string>> = {
  ...{ '%22': '"', '%0D': '\r', '%0A': '\n' },
  '\\"': '"',
};
// The second form is a browser's text that ends with a backslash.
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*|[^"]*)"(?=\s*(?:;|$))|([^\s;"]*))/g;

function parameterOf(line: string, name: string): string | undefined {
  for (const [, key = '', quoted, plain = ''] of line.matchAll(PARAMETER)) {
    if (key.toLowerCase() !== name) continue;
    if (quoted === undefined) return plain;
    return quoted.replace(/%(?:22|0D|0A)|\\"/gi, (sign) => written[sign.toUpperCase()] ?? sign);
  }
  return undefined;
}

function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}

function noForm(): AppError {
  return new AppError('invalid_request', 'The body is not multipart/form-data.');
}
