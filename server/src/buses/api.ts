import * as contract from '@ridewatch/contract/buses';
import { dayRange } from '@ridewatch/contract/day';
import { setUpFleet } from '@ridewatch/contract/fleet';
import { setGroup } from '@ridewatch/contract/groups';
import type { Point } from '@ridewatch/contract/primitives';
import type { Deps, Feature } from '../app.ts';
import { notFound } from '../errors.ts';
import { sendKept, serve } from '../http.ts';
import { listen } from '../listen.ts';
import { createKeptLists } from './kept-lists.ts';
import { BUSES_CHANNEL } from './queries.ts';
import { busOf, listBusRows, todayOf } from './rows.ts';

const changesBuses = new Set<string | undefined>([setGroup.path, setUpFleet.path]);

/** The bus list and one bus. */
export const addBuses: Feature = async (app, deps, auth) => {
  const lists = createKeptLists(deps);
  const stopListening = await listen(deps, BUSES_CHANNEL, () => lists.forget());
  app.addHook('onClose', stopListening);
  // A process hears of its own commands without the way round, so whoever moved a bus sees it moved.
  app.addHook('onSend', async ({ routeOptions }) => {
    if (changesBuses.has(routeOptions.url)) lists.forget();
  });

  serve(app, auth, contract.listBuses, 'user', async ({ viewer, request, reply }) =>
    sendKept(request, reply, await lists.find(viewer)),
  );

  serve(app, auth, contract.findBusInfo, 'user', async ({ viewer, params, query }) => {
    const nowMs = deps.clock.nowMs();
    const asked = { only: params.busId, day: query.date };
    const [row] = await listBusRows(deps.database.db, viewer, nowMs, asked);
    if (row === undefined) throw notFound();
    const date = query.date ?? todayOf(row, nowMs);
    const { startMs, endMs } = dayRange(date, row.timezone);
    const rest = await findRest(deps, row.id, row.group?.id ?? null, date);
    const { track, ...settings } = rest;
    return {
      ...busOf(row, viewer, nowMs),
      group: row.group === null ? null : { ...row.group, track },
      ...settings,
      date,
      day_start: new Date(startMs).toISOString(),
      day_end: new Date(endMs).toISOString(),
    };
  });
};

async function findRest({ database }: Deps, busId: number, groupId: number | null, date: string) {
  const settings = await database.db
    .selectFrom('workplaces')
    .select((eb) => [
      'config',
      'count_passengers_inside',
      'bus_calculation',
      'terminal_bus_stop_id',
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
    ])
    .where('id', '=', busId)
    .executeTakeFirstOrThrow();
  return { ...settings, track: (settings.track ?? []) as Point[] };
}
