import type { IncomingMessage } from 'node:http';
import * as contract from '@ridewatch/contract/unit';
import { acknowledgeCommand, pollCommands } from '@ridewatch/contract/unit-commands';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Authenticators, serve } from '../../core/http/http.ts';
import { createJoinedReads } from '../../core/joined-reads.ts';
import type { Deps, Feature } from '../../deps.ts';
import { listOpenCommands } from '../../fetching/commands.ts';
import { addFigures } from '../store/batch-figures.ts';
import { recordStoreOf } from '../store/record-store.ts';
import { createTurns } from '../store/turns.ts';
import { acknowledge } from './acknowledge.ts';
import { createCommandListener } from './command-listener.ts';
import { createLargeBatches } from './large-batches.ts';
import { LargeBody, readJsonBody } from './read-body.ts';
import { takeBatch } from './take-batch.ts';
import { createUnitFacts, factsOf } from './unit-facts.ts';
import { createUnitFeed } from './unit-feed.ts';

/** Waiting acknowledgements of one unit: a unit may answer the 100 commands of a poll at once, and twice. */
const MOST_ACKNOWLEDGEMENTS = 200;

/** The unit interface, version 1: docs/unit-interface.md. */
export const addIngest: Feature = async (app, deps, auth) => {
  // Concurrent reads of one bus would each take a connection that other units need.
  const listCameras = createJoinedReads((busId: number) =>
    deps.database.db
      .selectFrom('cameras')
      .select(['stream_id', 'door', 'live'])
      .where('workplace_id', '=', busId)
      .orderBy('stream_id')
      .execute(),
  );
  serve(app, auth, contract.unitMe, 'unit', async ({ unit }) => {
    const cameras = unit.busId === null ? [] : await listCameras(unit.busId);
    return {
      unit_id: unit.unitId,
      device_id: unit.deviceId,
      server_time: new Date(deps.clock.nowMs()).toISOString(),
      cameras,
    };
  });
  await app.register((scope) => addBatches(scope, deps, auth));
  await addCommands(app, deps, auth);
};

async function addBatches(scope: FastifyInstance, deps: Deps, auth: Authenticators): Promise<void> {
  const records = recordStoreOf(deps);
  // The unit's clock is compared with the arrival of the headers: a body may take a minute on a weak link.
  const arrivedMs = new WeakMap<FastifyRequest, number>();
  scope.addHook('onRequest', async (request) => {
    arrivedMs.set(request, deps.clock.nowMs());
  });
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, payload: IncomingMessage) =>
      readJsonBody(payload, request.headers['content-encoding'], (form, bytes) =>
        deps.metrics.batchBytes.labels(form).inc(bytes),
      ),
  );
  const receivedMsOf = (request: FastifyRequest): number =>
    arrivedMs.get(request) ?? deps.clock.nowMs();
  const noteFacts = createUnitFacts(deps);
  const feed = await createUnitFeed(deps);
  scope.addHook('onClose', () => feed.close());
  scope.addHook('onSend', async (request, reply, answer) => {
    feed.note(request, reply.statusCode, answer);
  });
  const large = createLargeBatches(deps);
  scope.addHook('onClose', () => large.close());
  scope.addHook('preHandler', async (request, reply) => {
    const { body, caller } = request;
    const unit = caller?.unit;
    if (!(body instanceof LargeBody) || unit === undefined) return;
    const take = () => large.take(unit, body, receivedMsOf(request));
    const { json, facts } = await records.inTurn(unit.unitId, take);
    await noteFacts(unit.unitId, facts);
    return reply.type('application/json; charset=utf-8').send(json);
  });
  serve(scope, auth, contract.sendBatch, 'unit', async ({ unit, body, request }) => {
    large.noteSmall(body);
    const receivedMs = receivedMsOf(request);
    const take = () => takeBatch(records.store, unit, body, receivedMs);
    const { answer, figures } = await records.inTurn(unit.unitId, take);
    await noteFacts(unit.unitId, factsOf(body, receivedMs));
    addFigures(deps.metrics, unit.unitId, figures);
    return answer;
  });
}

async function addCommands(app: FastifyInstance, deps: Deps, auth: Authenticators): Promise<void> {
  const { db } = deps.database;
  const listener = await createCommandListener(deps);
  app.addHook('preClose', () => listener.stop());

  // Concurrent polls would each take a connection that other units need.
  const look = createJoinedReads((unitId: number) =>
    listOpenCommands(db, unitId, deps.clock.nowMs()),
  );

  serve(app, auth, pollCommands, 'unit', async ({ unit, query, request }) => {
    const poll = query.wait > 0 ? listener.open(unit.unitId) : undefined;
    request.raw.once('close', () => poll?.end());
    const endMs = performance.now() + query.wait * 1000;
    try {
      for (;;) {
        const commands = await look(unit.unitId);
        // The credential may have ended while the poll waited.
        await auth.unit(request);
        const leftMs = endMs - performance.now();
        const over = leftMs <= 0 || request.raw.destroyed;
        if (commands.length > 0 || over || !poll || poll.isEnded) return { commands };
        await poll.wait(leftMs);
        // The unit's newer polls get the commands.
        if (poll.isEnded && !listener.stopped) return { commands: [] };
      }
    } finally {
      poll?.end();
    }
  });

  const inTurn = createTurns(MOST_ACKNOWLEDGEMENTS, undefined, 'acknowledgements');
  serve(app, auth, acknowledgeCommand, 'unit', async ({ unit, params, body }) => {
    await inTurn(unit.unitId, () =>
      acknowledge(db, unit.unitId, params.commandId, body, deps.clock.nowMs()),
    );
    return { id: params.commandId, result: body.result };
  });
}
