import { setRoute } from '@ridewatch/contract/bus-routes';
import * as contract from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { setUpFleet } from '@ridewatch/contract/fleet';
import { listOwnPeriods } from '../access/own-days.ts';
import type { Db } from '../core/db/db.ts';
import { listen } from '../core/db/listen.ts';
import { notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { sendCached } from '../core/http/send-cached.ts';
import { createSharedAnswers } from '../core/http/shared-answers.ts';
import type { Viewer } from '../core/viewer.ts';
import { findDayBounds } from '../days/bus-days.ts';
import { findSettingsAt } from '../days/bus-settings.ts';
import { findRouteTrackOn } from '../days/route-track.ts';
import type { Deps, Feature } from '../deps.ts';
import { BUSES_CHANNEL } from './announce.ts';
import { findLatestDay } from './latest-day.ts';
import { busOf, headingsOf, listBusRows, listCustomers } from './rows.ts';

/** Greatest age of a cached answer, ms; screens poll every 8 s. */
const KEEP_MS = 4000;

const changesBuses = new Set<string | undefined>([setRoute.path, setUpFleet.path]);

/** The bus list and one bus. */
export const addBuses: Feature = async (app, deps, auth) => {
  const answers = createSharedAnswers(deps.clock, KEEP_MS);
  const stopListening = await listen(deps, BUSES_CHANNEL, () => answers.forget());
  app.addHook('onClose', stopListening);
  // The process that changed a bus drops its own cache at once, so the user who moved a bus sees it moved.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && changesBuses.has(request.routeOptions.url)) answers.forget();
    done(null, payload);
  });

  serve(app, auth, contract.listBuses, 'user', async ({ viewer, request, reply }) =>
    sendCached(request, reply, await answers.find(viewer, 'list', () => buildList(deps, viewer))),
  );

  serve(app, auth, contract.findBusInfo, 'user', async ({ viewer, params, query, ...call }) => {
    const { busId } = params;
    const { date } = query;
    const question = `${busId}:${date ?? ''}`;
    const answer = await answers.find(viewer, question, () => buildInfo(deps, viewer, busId, date));
    return sendCached(call.request, call.reply, answer);
  });
};

async function buildList(
  { database, clock }: Deps,
  viewer: Viewer,
): Promise<ResponseOf<typeof contract.listBuses>> {
  const nowMs = clock.nowMs();
  const rows = await listBusRows(database.db, viewer, nowMs);
  return {
    items: rows.map((row) => busOf(row, viewer, nowMs)),
    number: 0,
    total: rows.length,
    customers:
      viewer.role === 'ADMIN' ? await listCustomers(database.db) : headingsOf(rows, viewer),
  };
}

async function buildInfo(
  deps: Deps,
  viewer: Viewer,
  busId: number,
  day: string | undefined,
): Promise<ResponseOf<typeof contract.findBusInfo>> {
  const nowMs = deps.clock.nowMs();
  const { db } = deps.database;
  const date = day ?? dayOf(nowMs, (await findSettingsAt(db, busId, nowMs)).timezone);
  const [row] = await listBusRows(db, viewer, nowMs, { only: busId, day: date });
  if (row === undefined) throw notFound();
  const { startMs, endMs } = await findDayBounds(db, row.id, date);
  const { group } = row;
  const own = await listOwnPeriods(db, viewer, [row.id]);
  return {
    ...busOf(row, viewer, nowMs),
    last_own_day: row.lastOwnDay,
    group: group && { ...group, track: await findRouteTrackOn(db, group.id, date) },
    terminal_bus_stop_id: row.terminal_stop_id,
    ...(await findRest(db, row.id)),
    date,
    latest_day: await findLatestDay(db, row.id, own.get(row.id) ?? [], nowMs),
    day_start: new Date(startMs).toISOString(),
    day_end: new Date(endMs).toISOString(),
  };
}

function findRest(db: Db, busId: number) {
  return db
    .selectFrom('workplaces')
    .select([
      'config',
      'count_passengers_inside',
      'bus_calculation',
      'capacity_seated',
      'capacity_standing',
    ])
    .where('id', '=', busId)
    .executeTakeFirstOrThrow();
}
