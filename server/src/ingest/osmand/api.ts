// The OsmAnd form at the product's own port.

import type { IncomingMessage } from 'node:http';
import type { ErrorBody } from '@ridewatch/contract/errors';
import { OSMAND_PATH } from '@ridewatch/contract/unit-protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFaultLog } from '../../core/fault-log.ts';
import type { Feature } from '../../deps.ts';
import { plainAddress } from '../by-id/addresses.ts';
import { createBodies, MOST_BODY_BYTES, type PortLimits } from './bodies.ts';
import { Busy, tellBusy } from './busy.ts';
import { checkEncoding, queryOf } from './http-request.ts';
import { createOsmand } from './take-request.ts';

/**
 * Makes what adds the address, also with a slash at its end: apps append their own.
 * @param limits tests have smaller ones
 */
export const createOsmandFeature =
  (limits: PortLimits = {}): Feature =>
  async (app, deps) => {
    const osmand = createOsmand(deps, limits.mostAtOnce);
    const bodies = createBodies(limits);
    const faults = createFaultLog(deps);
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The first senders name no type, or another one.
      scope.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
        bodies.read(payload),
      );
      scope.addHook('onClose', () => osmand.close());
      // Before the body is read.
      scope.addHook('onRequest', async ({ ip, headers, mediaType, raw }) => {
        osmand.checkAddress(ip);
        checkEncoding(headers);
        // Fastify refuses what is no type, as `json`.
        if (!mediaType) delete raw.headers['content-type'];
      });
      scope.setErrorHandler((thrown, { id: requestId, ip }, reply) => {
        // All others are answered and logged as those of other calls.
        if (!(thrown instanceof Busy)) throw thrown;
        tellBusy(faults, plainAddress(ip));
        const { code: error, message, status, retryAfterS } = thrown;
        return reply
          .code(status)
          .header('retry-after', String(retryAfterS))
          .send({ error, message, requestId } satisfies ErrorBody);
      });
      const handler = async (
        request: FastifyRequest,
        reply: FastifyReply,
      ): Promise<FastifyReply> => {
        const { body, headers, url, ip, raw } = request;
        const refused = await osmand.take(
          {
            ...{ query: queryOf(url), contentType: headers['content-type'] },
            body: body instanceof Buffer ? body : Buffer.alloc(0),
          },
          ip,
          raw.socket,
        );
        return refused.length === 0 ? reply.send() : reply.send({ refused });
      };
      for (const url of [OSMAND_PATH, `${OSMAND_PATH}/`]) {
        for (const method of ['GET', 'POST'] as const) {
          scope.route({
            ...{ method, url, handler, bodyLimit: MOST_BODY_BYTES },
            // A HEAD would store records.
            exposeHeadRoute: false,
          });
        }
      }
    });
  };

/** Adds the address to the product's port. */
export const addOsmand: Feature = createOsmandFeature();
