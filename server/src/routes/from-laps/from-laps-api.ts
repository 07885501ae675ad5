import * as contract from '@ridewatch/contract/routes';
import { sql } from 'kysely';
import { findLap, type LapRow } from '../../access/lap.ts';
import { findBusOnDays } from '../../access/own-days.ts';
import { findRoute, type RouteRow } from '../../access/route.ts';
import { asEditable, type Visible } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { serve } from '../../core/http/http.ts';
import { type Language, languageOf } from '../../core/http/language.ts';
import type { Viewer } from '../../core/viewer.ts';
import { findSettingsOn } from '../../days/bus-settings.ts';
import type { Feature } from '../../deps.ts';
import { changeRoute, findRouteToChange, todayOfRoutes } from '../change.ts';
import { findReplacement } from '../files/save.ts';
import { listPlaces } from '../places.ts';
import { replaceStops } from '../replace-patterns.ts';
import { findRouteRow } from '../route-rows.ts';
import { listStopsOn, stopsAnswer, type WantedStop } from '../stops.ts';
import { findTrackOn, saveTrack } from '../tracks.ts';
import type { Wanted } from './drive.ts';
import { createDrives } from './drives.ts';
import { proposeStops } from './proposed-stops.ts';
import { readDay, readLap } from './read-drive.ts';
import { type StoodAt, withoutChance } from './stays.ts';

/** Routes from what buses drove. */
export const addRoutesFromLaps: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();
  const drives = createDrives();
  app.addHook('onClose', () => drives.close());
  const followLap = ({ userId }: Viewer, lap: Visible<LapRow>, line: Wanted['line']) =>
    drives.follow(userId, { line, rounds: 'typical' }, () => readLap(db, lap, { line }));

  serve(app, auth, contract.makeTrackFromLap, 'user', async ({ viewer, actor, params, body }) => {
    const { clientId } = asEditable(viewer, await findRoute(db, viewer, params.groupId));
    const lap = await findLapOfBus(db, viewer, clientId, body);
    const period = { startMs: lap.startTime.getTime(), endMs: lap.endTime.getTime() };
    const { line: track } = await followLap(viewer, lap, period);
    if (track.length < 2) {
      throw new AppError('invalid_request', 'has no positions', { field: 'lapId' });
    }
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    const find = findRouteToChange(viewer, params.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const before = (await findTrackOn(tx, route.id, day)).length;
      await saveTrack(tx, route.id, day, track);
      return {
        action: 'make_track_from_lap',
        before: { points: before },
        after: { lap_id: lap.id, points: track.length },
        answer: { ...(await findRouteRow(tx, route.id)), track: [...track] },
      };
    });
  });

  serve(app, auth, contract.proposeStopsFromLap, 'user', async ({ request, viewer, ...call }) => {
    const language = languageOf(request.headers['accept-language']);
    const day = call.query.date ?? todayOfRoutes(now());
    const route = await findRoute(db, viewer, call.params.groupId);
    const lap = await findLapOfBus(db, viewer, route.clientId, call.query);
    const { places } = await followLap(viewer, lap, null);
    return db.transaction().execute(async (tx) => {
      const stops = await propose(tx, { route, language }, day, places);
      const replaces = await findReplacement(tx, { routeId: route.id, day }, { track: [] }, stops);
      return { items: stops.map(proposalOf), replaces };
    });
  });

  serve(app, auth, contract.makeStopsFromLap, 'user', async ({ request, viewer, actor, body }) => {
    const language = languageOf(request.headers['accept-language']);
    const { clientId } = asEditable(viewer, await findRoute(db, viewer, body.groupId));
    const lap = await findLapOfBus(db, viewer, clientId, body);
    const { places } = await followLap(viewer, lap, null);
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    const find = findRouteToChange(viewer, body.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const stops = await propose(tx, { route, language }, day, places);
      if (stops.length === 0) {
        throw new AppError('invalid_request', 'has no halts', { field: 'lapId' });
      }
      const before = await listStopsOn(tx, route.id, day);
      const entry = { language, confirmFar: body.confirm_far === true };
      await replaceStops(tx, route, day, stops, { entry });
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
    const asked = { busId: body.workplaceId, from: body.date, to: body.date };
    const bus = asEditable(viewer, await findBusOnDays(db, viewer, asked, 'date'));
    const validFrom = body.valid_from;
    const { places } = await drives.follow(viewer.userId, { line: null, rounds: 'all' }, () =>
      readDay(db, bus.id, body.date),
    );
    const found = withoutChance(places);
    const firstDay = validFrom ?? todayOfRoutes(now());
    const { group_id: routeId } = await findSettingsOn(db, bus.id, firstDay);
    if (!body.save) {
      const route = routeId === null ? null : await findRoute(db, viewer, routeId);
      const stops =
        route === null
          ? proposeStops(found, [], [], language)
          : await propose(db, { route, language }, firstDay, found);
      const current = { routeId: routeId ?? 0, day: firstDay };
      const replaces =
        route === null || stops.length === 0
          ? null
          : await findReplacement(db, current, { track: [] }, stops);
      return { items: stops.map(proposalOf), replaces };
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
      await replaceStops(tx, route, day, stops, { entry });
      return {
        action: 'generate_stops',
        before: { stops: before.map(({ id, name }) => ({ id, name })) },
        after: { workplace_id: bus.id, date: body.date, stops: stops.length },
        answer: { items: stops.map(proposalOf), replaces: null },
      };
    });
  });
};

/** @throws AppError not_found unless the lap is that bus's, and its day the customer's */
async function findLapOfBus(
  db: Db,
  viewer: Viewer,
  clientId: number,
  { lapId, workplaceId: busId }: { lapId: number; workplaceId: number },
): Promise<Visible<LapRow>> {
  const lap = await findLap(db, viewer, lapId);
  const owner = await db
    .selectFrom('bus_owners')
    .select('client_id')
    .where('workplace_id', '=', busId)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`${lap.day}::date between from_day and to_day`)
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

const proposalOf = ({ name, latitude, longitude, routeDirection }: WantedStop) => ({
  name,
  latitude,
  longitude,
  routeDirection,
});
