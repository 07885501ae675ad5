import { dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import * as contract from '@ridewatch/contract/segments';
import { sql } from 'kysely';
import { findCamera, isVisibleWorkplace } from '../access.ts';
import type { Feature } from '../app.ts';
import { loadKeys } from '../auth/tokens.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Db } from '../db.ts';
import { AppError, notFound } from '../errors.ts';
import { sendKept, serve } from '../http.ts';
import { expiryOf } from '../video/sign.ts';
import { buildDay } from './day.ts';
import { KeptAnswers } from './kept-days.ts';
import { listCameraSegments } from './queries.ts';

/** Longest range of days in one question. */
const MOST_DAYS = 5 * 366;

/** A bus's day and a camera's fragments. */
export const addSegments: Feature = async (app, deps, auth) => {
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video');
  const days = new KeptAnswers();

  serve(app, auth, contract.listDaySegments, 'user', async ({ viewer, query, request, reply }) => {
    const gate = await findDayGate(db, viewer, query.workplaceId, query.date);
    const nowMs = deps.clock.nowMs();
    // Signed addresses are the session's own and hold still for an hour: both are part of what the answer depends on.
    const holds = [gate.version, viewer.sessionId, expiryOf(nowMs)];
    const key = [gate.workplaceId, query.date, ...holds].join(':');
    const { startMs, endMs } = dayRange(query.date, gate.timezone);
    const answer = await days.find(`${key}:${gate.timezone}`, () =>
      buildDay(db, { ...gate, date: query.date, startMs, endMs }, { keys, holder: viewer, nowMs }),
    );
    return sendKept(request, reply, answer);
  });

  serve(app, auth, contract.listPeriods, 'user', async ({ viewer, params, query }) => {
    const camera = await findCamera(db, viewer, params.cameraId);
    if (query.enddate < query.startdate) {
      throw new AppError('invalid_request', 'is before startdate', { field: 'enddate' });
    }
    const gate = await findDayGate(db, viewer, camera.workplaceId, query.startdate);
    const { startMs } = dayRange(query.startdate, gate.timezone);
    const { endMs } = dayRange(query.enddate, gate.timezone);
    if (endMs - startMs > MOST_DAYS * 24 * 3_600_000) {
      throw new AppError('invalid_request', 'is more than 5 years after startdate', {
        field: 'enddate',
      });
    }
    const signing = { keys, holder: viewer, nowMs: deps.clock.nowMs() };
    const items = await listCameraSegments(db, camera, startMs, endMs, signing);
    return { items, number: 0, total: items.length };
  });
};

interface DayGate {
  readonly workplaceId: number;
  readonly version: number;
  readonly timezone: string;
  readonly countPassengersInside: boolean;
  readonly unitId: number | null;
}

// One statement decides who may see the day and whether the kept answer still stands.
async function findDayGate(
  db: Db,
  viewer: Viewer,
  workplaceId: number,
  date: string,
): Promise<DayGate> {
  const { rows } = await sql<DayGate>`
    select workplaces.id as "workplaceId", coalesce(bus_days.version, 0) as version,
      coalesce(settings.timezone, ${FALLBACK_ZONE}) as timezone,
      count_passengers_inside as "countPassengersInside", units.id as "unitId"
    from workplaces
    left join bus_days on bus_days.workplace_id = workplaces.id and bus_days.day = ${date}::date
    left join units on units.workplace_id = workplaces.id
    left join lateral (
      select timezone from workplace_settings
      where workplace_id = workplaces.id
      order by valid_from <= ${date}::date desc, abs(valid_from - ${date}::date) limit 1
    ) as settings on true
    where workplaces.id = ${workplaceId}
      and ${isVisibleWorkplace(viewer, sql.ref('workplaces.id'))}`.execute(db);
  const gate = rows[0];
  if (gate === undefined) throw notFound();
  return gate;
}
