import * as contract from '@ridewatch/contract/buses';
import { dayRange } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { setUpFleet } from '@ridewatch/contract/fleet';
import { setGroup } from '@ridewatch/contract/groups';
import type { Point } from '@ridewatch/contract/primitives';
import { listen } from '../core/db/listen.ts';
import { notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { sendCached } from '../core/http/send-cached.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps, Feature } from '../deps.ts';
import { BUSES_CHANNEL } from './queries.ts';
import { busOf, headingsOf, listBusRows, todayOf } from './rows.ts';
import { createSharedAnswers } from './shared-answers.ts';

const changesBuses = new Set<string | undefined>([setGroup.path, setUpFleet.path]);

/** The bus list and one bus. */
export const addBuses: Feature = async (app, deps, auth) => {
  const answers = createSharedAnswers(deps);
  const stopListening = await listen(deps, BUSES_CHANNEL, () => answers.forget());
  app.addHook('onClose', stopListening);
  // A process hears of its own commands without the way round, so whoever moved a bus sees it moved.
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
    customers: headingsOf(rows, viewer),
  };
}

async function buildInfo(
  deps: Deps,
  viewer: Viewer,
  busId: number,
  day: string | undefined,
): Promise<ResponseOf<typeof contract.findBusInfo>> {
  const nowMs = deps.clock.nowMs();
  const [row] = await listBusRows(deps.database.db, viewer, nowMs, { only: busId, day });
  if (row === undefined) throw notFound();
  const date = day ?? todayOf(row, nowMs);
  const { startMs, endMs } = dayRange(date, row.timezone);
  const { track, ...settings } = await findRest(deps, row.id, row.group?.id ?? null, date);
  return {
    ...busOf(row, viewer, nowMs),
    group: row.group === null ? null : { ...row.group, track },
    ...settings,
    date,
    day_start: new Date(startMs).toISOString(),
    day_end: new Date(endMs).toISOString(),
  };
}

async function findRest({ database }: Deps, busId: number, groupId: number | null, date: string) {
  const settings = await database.db
    .selectFrom('workplaces')
    .select((eb) => [
      'config',
      'count_passengers_inside',
      'bus_calculation',
      'capacity_seated',
      'capacity_standing',
      eb
        .selectFrom('route_tracks')
        .select('track')
        .where('group_id', '=', groupId ?? 0)
        .where('valid_from', '<=', date)
        .orderBy('valid_from', 'desc')
        .limit(1)
        .as('track'),
      eb
        .selectFrom('workplace_settings')
        .select('terminal_stop_id')
        .whereRef('workplace_id', '=', 'workplaces.id')
        .where('valid_from', '<=', date)
        .orderBy('valid_from', 'desc')
        .limit(1)
        .as('terminal_bus_stop_id'),
    ])
    .where('id', '=', busId)
    .executeTakeFirstOrThrow();
  return { ...settings, track: (settings.track ?? []) as Point[] };
}
