// Parser of application/x-www-form-urlencoded, as /oauth/token has it (RFC 6749, section 4.3.2).
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBytes } from './read-bytes.ts';

/** Further fields are left out. A form of the contract has a handful. */
const MOST_FIELDS = 64;

/** Parses forms into an object without prototype: texts by field name, repeated fields as arrays. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(payload, request.routeOptions.bodyLimit);
      return parse(body.toString('utf8'), '&', '=', { maxKeys: MOST_FIELDS });
    },
  );
}
