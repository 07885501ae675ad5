import { dayRange } from '@ridewatch/contract/day';
import * as contract from '@ridewatch/contract/routes';
import { findBus } from '../../access/bus.ts';
import { findLap, type LapRow } from '../../access/lap.ts';
import { findRoute, type RouteRow } from '../../access/route.ts';
import { asEditable, type Visible } from '../../access/visible.ts';
import type { Db, Tx } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import type { Viewer } from '../../core/viewer.ts';
import { findSettingsOn } from '../../days/bus-settings.ts';
import type { Feature } from '../../deps.ts';
import { changeRoute, findRouteToChange, todayOfRoutes } from '../change.ts';
import { findReplacement } from '../files/save.ts';
import { type Language, languageOf } from '../language.ts';
import { listPlaces } from '../places.ts';
import { findRouteRow } from '../queries.ts';
import { listStopsOn, saveStops, stopsAnswer, type WantedStop } from '../stops.ts';
import { findTrackOn, saveTrack } from '../tracks.ts';
import { lineBetween, readDriven } from './lap-track.ts';
import { proposeStops } from './proposed-stops.ts';
import { readLegs, readStays } from './read-stays.ts';
import { findRounds, typicalRound } from './rounds.ts';
import { placesStoodAt, type StoodAt, withoutChance } from './stays.ts';

/** Routes from what buses drove. */
export const addRoutesFromLaps: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.makeTrackFromLap, 'user', async ({ viewer, actor, params, body }) => {
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    const find = findRouteToChange(viewer, params.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const lap = await findLapOfBus(tx, viewer, route.clientId, body);
      const { legs, driven } = await readLap(tx, lap);
      const [first, last] = [legs[0], legs.at(-1)];
      const startMs = first?.startMs ?? lap.startTime.getTime();
      const endMs = last?.endMs ?? lap.endTime.getTime();
      const track = driven === null ? [] : lineBetween(driven, startMs, endMs);
      if (track.length < 2) {
        throw new AppError('invalid_request', 'has no positions', { field: 'lapId' });
      }
      const before = (await findTrackOn(tx, route.id, day)).length;
      await saveTrack(tx, route.id, day, track);
      return {
        action: 'make_track_from_lap',
        before: { points: before },
        after: { lap_id: lap.id, points: track.length },
        answer: { ...(await findRouteRow(tx, route.id)), track },
      };
    });
  });

  serve(app, auth, contract.proposeStopsFromLap, 'user', async ({ request, viewer, ...call }) => {
    const language = languageOf(request.headers['accept-language']);
    const day = call.query.date ?? todayOfRoutes(now());
    return db.transaction().execute(async (tx) => {
      const route = await findRoute(tx, viewer, call.params.groupId);
      const lap = await findLapOfBus(tx, viewer, route.clientId, call.query);
      const { legs, stays } = await readLap(tx, lap);
      const stops = await propose(tx, { route, language }, day, placesStoodAt(stays, legs));
      const replaces = await findReplacement(tx, { routeId: route.id, day }, { track: [] }, stops);
      return { items: stops.map(proposalOf), replaces };
    });
  });

  serve(app, auth, contract.makeStopsFromLap, 'user', async ({ request, viewer, actor, body }) => {
    const language = languageOf(request.headers['accept-language']);
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    const find = findRouteToChange(viewer, body.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const lap = await findLapOfBus(tx, viewer, route.clientId, body);
      const { legs, stays } = await readLap(tx, lap);
      const stops = await propose(tx, { route, language }, day, placesStoodAt(stays, legs));
      if (stops.length === 0) {
        throw new AppError('invalid_request', 'has no halts', { field: 'lapId' });
      }
      const before = await listStopsOn(tx, route.id, day);
      const entry = { language, confirmFar: body.confirm_far === true };
      await saveStops(tx, route, day, stops, entry);
      return {
        action: 'make_stops_from_lap',
        before: { stops: before.map(({ id, name }) => ({ id, name })) },
        after: { lap_id: lap.id, stops: stops.length },
        answer: await stopsAnswer(tx, route.id, day),
      };
    });
  });

  serve(app, auth, contract.generateStops, 'user', async ({ request, viewer, actor, body }) => {
    const language = languageOf(request.headers['accept-language']);
    const bus = asEditable(viewer, await findBus(db, viewer, body.workplaceId));
    const validFrom = body.valid_from;
    const found = await findStoodAt(db, bus.id, body.date);
    const firstDay = validFrom ?? todayOfRoutes(now());
    const { group_id: routeId } = await findSettingsOn(db, bus.id, firstDay);
    if (!body.save) {
      const route = routeId === null ? null : await findRoute(db, viewer, routeId);
      const stops =
        route === null
          ? proposeStops(found, [], [], language)
          : await propose(db, { route, language }, firstDay, found);
      return { items: stops.map(proposalOf) };
    }
    if (routeId === null) {
      throw new AppError('invalid_request', 'has no route', { field: 'workplaceId' });
    }
    if (found.length === 0) {
      throw new AppError('invalid_request', 'has no halts', { field: 'date' });
    }
    const command = { db, viewer, actor, nowMs: now(), validFrom };
    const find = findRouteToChange(viewer, routeId);
    return changeRoute(command, find, async (tx, route, day) => {
      const stops = await propose(tx, { route, language }, day, found);
      const before = await listStopsOn(tx, route.id, day);
      const entry = { language, confirmFar: body.confirm_far === true };
      await saveStops(tx, route, day, stops, entry);
      return {
        action: 'generate_stops',
        before: { stops: before.map(({ id, name }) => ({ id, name })) },
        after: { workplace_id: bus.id, date: body.date, stops: stops.length },
        answer: { items: stops.map(proposalOf) },
      };
    });
  });
};

/** @throws AppError not_found unless the lap is that bus's, and the bus the customer's */
async function findLapOfBus(
  tx: Tx,
  viewer: Viewer,
  clientId: number,
  { lapId, workplaceId: busId }: { lapId: number; workplaceId: number },
): Promise<Visible<LapRow>> {
  const lap = await findLap(tx, viewer, lapId);
  const owner = await tx
    .selectFrom('workplace_clients')
    .select('client_id')
    .where('workplace_id', '=', busId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (lap.busId !== busId || owner === undefined) throw notFound();
  return lap;
}

async function propose(
  from: Db,
  { route, language }: { route: RouteRow; language: Language },
  day: string,
  found: readonly StoodAt[],
): Promise<WantedStop[]> {
  const current = await listStopsOn(from, route.id, day);
  return proposeStops(found, current, await listPlaces(from, route.clientId), language);
}

/** A lap with its legs; of a lap that is a day without a route those of one round. */
async function readLap(tx: Tx, lap: Visible<LapRow>) {
  const { busId, day, startTime: start, endTime: end } = lap;
  const driven = await readDriven(tx, busId, start.getTime(), end.getTime(), 'lapId');
  const stays = await readStays(tx, { busId, start, end });
  const legs = await readLegs(tx, busId, day, lap.id);
  if (legs.length > 0 || driven === null) return { legs, stays, driven };
  return { legs: typicalRound(findRounds(driven, stays)), stays, driven };
}

async function findStoodAt(from: Db, busId: number, date: string): Promise<StoodAt[]> {
  const { timezone } = await findSettingsOn(from, busId, date);
  const { startMs, endMs } = dayRange(date, timezone);
  const stays = await readStays(from, {
    busId,
    start: new Date(startMs),
    end: new Date(endMs),
  });
  const legs = await readLegs(from, busId, date);
  const driven = legs.length > 0 ? null : await readDriven(from, busId, startMs, endMs, 'date');
  const rounds = driven === null ? legs : findRounds(driven, stays).flat();
  return withoutChance(placesStoodAt(stays, rounds));
}

const proposalOf = ({ name, latitude, longitude, routeDirection }: WantedStop) => ({
  name,
  latitude,
  longitude,
  routeDirection,
});
