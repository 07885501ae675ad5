import * as contract from '@ridewatch/contract/stats';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findKnownBus } from '../access/own-days.ts';
import { makeCachedAnswer } from '../core/http/cached-answer.ts';
import { serve } from '../core/http/http.ts';
import { type RawAnswer, sendCached } from '../core/http/send-cached.ts';
import type { Feature } from '../deps.ts';
import { buildPassengerTraffic } from './answers.ts';
import { findArriving } from './arriving.ts';
import { cutOf } from './cut.ts';
import { buildDayResults } from './day-results.ts';
import { buildDayTraffic } from './day-traffic.ts';
import { readSelection, type Selection } from './selection.ts';

/** Statistics of people and revenue. */
export const addStats: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const arriving = (selection: Selection) => findArriving(db, selection, deps.clock.nowMs());

  serve(app, auth, contract.findPassengerTraffic, 'user', async ({ viewer, query, ...call }) => {
    const selection = await readSelection(db, viewer, query, query.groupby === 'bus');
    const cut = cutOf(query, deps.clock.nowMs());
    const [traffic, coming] = await Promise.all([
      buildPassengerTraffic(db, selection, query.groupby, query.tick, cut),
      arriving(selection),
    ]);
    return send(call, { ...traffic, arriving: coming });
  });

  serve(app, auth, contract.findDayTraffic, 'user', async ({ viewer, query, ...call }) => {
    const selection = await readSelection(db, viewer, query, false);
    const [traffic, coming] = await Promise.all([
      buildDayTraffic(db, selection, query.by, deps.clock.nowMs()),
      arriving(selection),
    ]);
    return send(call, { ...traffic, arriving: coming });
  });

  serve(app, auth, contract.findDayResults, 'user', async ({ viewer, query }) =>
    buildDayResults(db, viewer, await findKnownBus(db, viewer, query.workplaceId), query.date),
  );
};

// Compressed, because tens of thousands of rows are usual; a screen that asks again for the same figures gets 304.
async function send(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: contract.PassengerTraffic | contract.DayTrafficAnswer,
): Promise<RawAnswer | undefined> {
  return sendCached(request, reply, await makeCachedAnswer(JSON.stringify(answer)));
}
