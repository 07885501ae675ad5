import { dayRange } from '@ridewatch/contract/day';
import * as recalculation from '@ridewatch/contract/lap-recalculation';
import * as contract from '@ridewatch/contract/laps';
import { MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import * as stats from '@ridewatch/contract/stats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createDayGate } from '../access/bus-day.ts';
import { findRoute } from '../access/route.ts';
import { findClassifier } from '../access/stop.ts';
import { AppError } from '../core/errors.ts';
import { AnswerCache } from '../core/http/answer-cache.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import { type RawAnswer, sendCached, sendUnchanged } from '../core/http/send-cached.ts';
import type { Viewer } from '../core/viewer.ts';
import { type DayState, findDayState } from '../days/day-state.ts';
import type { Deps, Feature } from '../deps.ts';
import { buildDayLaps, buildDayTrack, buildLapStops, buildLaps } from './answers.ts';
import { createDayThreads } from './computation/thread.ts';
import { createPositions } from './position.ts';
import { createPreviewTurns } from './recalculation/preview-turns.ts';
import {
  beginRecalculation,
  cancelRecalculation,
  type PreviewTools,
  previewRecalculation,
} from './recalculation/recalculate.ts';
import { findOwnLatest } from './recalculation/recalculations.ts';
import type { LapDayQuestion } from './rows.ts';
import { listStopStat } from './stop-stat.ts';
import { setTerminal } from './terminal.ts';
import type { Draft } from './tracks/draft.ts';
import { createTrackAnswers } from './tracks/track-answers.ts';

/** The state of another customer's day. */
const NOTHING_DUE: DayState = { pending: false, failure: null };

interface AboutDay {
  readonly viewer: Viewer;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Positions of buses, laps of their days, and terminals. */
export const addLaps: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const findDayGate = createDayGate(deps);
  const findPosition = createPositions(deps);
  const cache = new AnswerCache();
  const { computeDay, close } = createDayThreads();
  app.addHook('onClose', close);
  const tracks = createTrackAnswers(db, cache);
  app.addHook('onClose', () => tracks.close());

  // Answers of a day are valid as long as the day's version.
  const findDay = async (viewer: Viewer, busId: number, date: string) => {
    const gate = await findDayGate(viewer, busId, date);
    const keyOf = (key: string): string =>
      [
        busId,
        date,
        gate.version,
        gate.timezone,
        gate.unitId,
        gate.isOwn,
        gate.hiddenRoutes,
        key,
      ].join(':');
    return { question: { ...gate, date }, keyOf };
  };
  const answerDay = async (
    { viewer, request, reply }: AboutDay,
    busId: number,
    date: string,
    build: (question: LapDayQuestion) => Promise<{ key: string; make: () => Promise<unknown> }>,
  ): Promise<RawAnswer | undefined> => {
    const { question, keyOf } = await findDay(viewer, busId, date);
    const { key: part, make } = await build(question);
    const key = keyOf(part);
    if (sendUnchanged(request, reply, key)) return undefined;
    return sendCached(request, reply, await cache.find(key, make));
  };
  const answerTracks = async (
    { viewer, request, reply }: AboutDay,
    busId: number,
    date: string,
    key: string,
    makeDraft: (question: LapDayQuestion) => Promise<Draft>,
  ): Promise<RawAnswer | undefined> => {
    const { question, keyOf } = await findDay(viewer, busId, date);
    const call = { userId: viewer.userId, request, reply };
    return tracks.answer(call, keyOf(key), () => makeDraft(question));
  };

  serve(app, auth, contract.listDayLaps, 'user', async ({ query, ...call }) =>
    answerDay(call, query.workplaceId, query.date, async (question) => {
      const state = question.isOwn
        ? await findDayState(db, question.busId, query.date, deps.clock.nowMs())
        : NOTHING_DUE;
      const key = `day-laps:${state.pending}:${state.failure}`;
      return { key, make: () => buildDayLaps(db, question, state) };
    }),
  );

  serve(app, auth, contract.listLaps, 'user', async ({ query, ...call }) =>
    answerTracks(call, query.workplaceId, query.date, `laps:${query.lapId ?? ''}`, (question) =>
      buildLaps(db, question, query.lapId),
    ),
  );

  serve(app, auth, contract.searchStops, 'user', async ({ query, ...call }) =>
    answerDay(call, query.workplaceId, query.date, async (question) => ({
      key: `stops:${query.lapId ?? ''}`,
      make: () => buildLapStops(db, question, query.lapId),
    })),
  );

  serve(app, auth, contract.findDayTrack, 'user', async ({ params, query, ...call }) =>
    answerTracks(call, params.busId, query.date, 'track', (question) =>
      buildDayTrack(db, question),
    ),
  );

  serve(app, auth, contract.findPosition, 'user', async ({ viewer, query }) =>
    findPosition(viewer, query.busId),
  );

  serve(app, auth, contract.findStopStat, 'user', async ({ viewer, query }) => {
    const stop = await findClassifier(db, viewer, query.busStopClassifierId);
    if (query.groupId !== undefined) await findRoute(db, viewer, query.groupId);
    checkRange(query.dateFrom, query.dateTo);
    const items = await listStopStat(db, viewer, stop, {
      dateFrom: query.dateFrom,
      dateTo: query.dateTo,
      routeId: query.groupId,
      dayOfWeek: query.dayOfWeek === undefined ? undefined : Number(query.dayOfWeek),
      groupMinutes: Number(query.groupMinutes),
    });
    return { items };
  });

  serve(app, auth, contract.setTerminalStop, 'user', async ({ viewer, actor, body }) => {
    const question = {
      busId: body.workplaceId,
      stopId: body.busStopId,
      validFrom: body.valid_from,
    };
    await setTerminal(db, viewer, actor, question, deps.clock.nowMs());
    return undefined;
  });

  addRecalculation(app, deps, auth, { db, computeDay, turns: createPreviewTurns() });
};

function addRecalculation(
  app: FastifyInstance,
  { clock }: Deps,
  auth: Authenticators,
  tools: PreviewTools,
): void {
  const { db } = tools;
  serve(
    app,
    auth,
    recalculation.recalculateLaps,
    'user',
    async ({ viewer, actor, params, body }) => {
      const { preview: isPreview, ...days } = body;
      const range = { busId: params.workplaceId, ...days };
      const nowMs = clock.nowMs();
      if (isPreview) {
        const found = await previewRecalculation(tools, viewer, range, nowMs);
        return { ...found, recalculation: null };
      }
      return {
        items: [],
        failed: [],
        looked_until: null,
        recalculation: await beginRecalculation(db, viewer, actor, range, nowMs),
      };
    },
  );

  serve(app, auth, recalculation.findLapRecalculation, 'user', async ({ viewer, params }) => {
    const recalculation = await findOwnLatest(db, viewer, params.workplaceId);
    return { recalculation: recalculation ?? null };
  });

  serve(
    app,
    auth,
    recalculation.cancelLapRecalculation,
    'user',
    async ({ viewer, actor, params: { workplaceId: busId } }) => ({
      recalculation: await cancelRecalculation(db, viewer, actor, busId, clock.nowMs()),
    }),
  );

  // The same recalculation by the addresses of statistics.
  serve(app, auth, stats.recalculateBus, 'user', async ({ viewer, actor, body }) => {
    const { workplaceId: busId, ...days } = body;
    const range = { busId, ...days };
    return {
      recalculation: await beginRecalculation(db, viewer, actor, range, clock.nowMs()),
    };
  });

  serve(app, auth, stats.findBusRecalculation, 'user', async ({ viewer, query }) => {
    const recalculation = await findOwnLatest(db, viewer, query.workplaceId);
    return { recalculation: recalculation ?? null };
  });

  serve(app, auth, stats.cancelBusRecalculation, 'user', async ({ viewer, actor, query }) => ({
    recalculation: await cancelRecalculation(db, viewer, actor, query.workplaceId, clock.nowMs()),
  }));
}

function checkRange(dateFrom: string, dateTo: string): void {
  if (dateTo < dateFrom) {
    throw new AppError('invalid_request', 'is before dateFrom', { field: 'dateTo' });
  }
  const days = (dayRange(dateTo, 'UTC').endMs - dayRange(dateFrom, 'UTC').startMs) / 86_400_000;
  if (days > MAX_STAT_DAYS) {
    throw new AppError('invalid_request', 'is more than 5 years after dateFrom', {
      field: 'dateTo',
    });
  }
}
