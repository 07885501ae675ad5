// The OsmAnd form at the product's own port.
import { OSMAND_PATH } from '@ridewatch/contract/unit-protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Feature } from '../../deps.ts';
import { checkEncoding, MOST_BODY_BYTES, queryOf } from './http-request.ts';
import { createOsmand } from './take-request.ts';

/**
 * Makes what adds the address, also with a slash at its end: apps append their own.
 * @param mostAtOnce tests have fewer requests
 */
export const createOsmandFeature =
  (mostAtOnce?: number): Feature =>
  async (app, deps) => {
    const osmand = createOsmand(deps, mostAtOnce);
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The first senders name no type, or another one.
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      );
      scope.addHook('onClose', () => osmand.close());
      // Before the body is read. An answer is closed also when its sender is gone.
      scope.addHook('onRequest', async ({ ip, headers }, reply) => {
        reply.raw.once('close', osmand.begin(ip));
        checkEncoding(headers);
      });
      const handler = async (
        request: FastifyRequest,
        reply: FastifyReply,
      ): Promise<FastifyReply> => {
        const { body, headers, url, ip } = request;
        const refused = await osmand.take(
          {
            ...{ query: queryOf(url), contentType: headers['content-type'] },
            body: body instanceof Buffer ? body : Buffer.alloc(0),
          },
          ip,
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
