// The depth of JSON is checked before it is parsed, in one pass over its bytes, so that recursive code never overflows
// the stack.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { readBytes } from './read-bytes.ts';

/** The deepest schema of the contract is a route of a fleet plan, nine levels; GeoJSON needs eight. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Refuses JSON that nests too deep. The parser decides whether it is JSON.
 * @param body in UTF-8, in which the bytes of these characters occur in no other
 * @throws AppError invalid_request
 */
export function checkJsonDepth(body: Uint8Array): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) {
      if (byte === BACKSLASH) at += 1;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) {
        throw new AppError(
          'invalid_request',
          `The body is JSON of at most ${MAX_JSON_DEPTH} levels.`,
        );
      }
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
}

/** Parses JSON bodies as Fastify does, after the check of their depth. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(payload, request.routeOptions.bodyLimit);
      checkJsonDepth(body);
      return new Promise((resolve, reject) => {
        void parse(request, body.toString('utf8'), (error, value) => {
          if (error === null) resolve(value);
          else reject(error);
        });
      });
    },
  );
}
