import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type * as contract from '@ridewatch/contract/laps';
import { roundTo } from '@ridewatch/contract/round';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { listFragments } from '../counts/fragments.ts';
import type { DayState } from '../days/day-state.ts';
import { refuseManyPositions } from '../positions/read.ts';
import { SLACK_MS } from './engine/people/attribute.ts';
import {
  countVisits,
  type LapDayQuestion,
  type LapRow,
  type LapStopRow,
  listLapRows,
  listLapStopRows,
  summaryOf,
} from './rows.ts';
import type { Draft } from './tracks/draft.ts';

/** The laps of a day, without tracks and stops. */
export async function buildDayLaps(
  db: Db,
  question: LapDayQuestion,
  state: DayState,
): Promise<ResponseOf<typeof contract.listDayLaps>> {
  const rows = await listLapRows(db, question);
  const visits = await countVisits(db, rows);
  return {
    items: rows.map((row) => summaryOf(row, visits.get(row.id) ?? 0, question)),
    number: 0,
    total: rows.length,
    timezone: question.timezone,
    ...state,
  };
}

/**
 * The laps of a day, or one of them, with stops; their tracks are not drawn yet.
 * @throws AppError too_large for a day with more than one call reads
 */
export async function buildLaps(db: Db, question: LapDayQuestion, lapId?: number): Promise<Draft> {
  const rows = await listLapRows(db, question, lapId);
  const stops = await buildStops(db, question, rows);
  const halts = await listHalts(db, question, sql<boolean>`day = ${question.date}`);
  const positionCount = await refuseManyOf(
    db,
    question,
    leastOf(rows, (row) => row.start_time.getTime()),
    mostOf(rows, (row) => row.end_time.getTime()),
  );
  const items = rows.map((row): contract.Lap => {
    const own = stops.filter(({ lap }) => lap === row.number);
    const visits = own.filter(({ arrival }) => arrival !== null).length;
    return {
      ...summaryOf(row, visits, question),
      busStopDtoList: own,
      halts: halts.filter(({ lap }) => lap === row.number),
      track: [],
    };
  });
  const answer: ResponseOf<typeof contract.listLaps> = {
    items,
    number: 0,
    total: items.length,
    timezone: question.timezone,
  };
  const tracks = rows.map((row, n) => ({
    fromMs: row.start_time.getTime(),
    // The last position is its own.
    toMs: row.end_time.getTime() + 1,
    points: items[n]?.track ?? [],
  }));
  return { answer, busId: question.isOwn ? question.busId : null, positionCount, tracks };
}

/**
 * The stops of the laps of a day, or of one of them.
 * @throws AppError too_large for a day with more than one call reads
 */
export async function buildLapStops(
  db: Db,
  question: LapDayQuestion,
  lapId?: number,
): Promise<ResponseOf<typeof contract.searchStops>> {
  const items = await buildStops(db, question, await listLapRows(db, question, lapId));
  return { items, number: 0, total: items.length };
}

/**
 * The track of a local day from midnight to midnight, not drawn yet.
 * @throws AppError too_large for a day with more than one call reads
 */
export async function buildDayTrack(db: Db, question: LapDayQuestion): Promise<Draft> {
  const { startMs, endMs, timezone, date } = question;
  // A lap past midnight also has the halts after it; they are stored with its day.
  const inDay = sql<boolean>`day between ${date}::date - 1 and ${date}::date
    and start_time >= ${new Date(startMs)} and start_time < ${new Date(endMs)}`;
  const positionCount = await refuseManyOf(db, question, startMs, endMs);
  const points: contract.TrackPoint[] = [];
  const halts = await listHalts(db, question, inDay);
  const answer: ResponseOf<typeof contract.findDayTrack> = { items: points, halts, timezone };
  const tracks = [{ fromMs: startMs, toMs: endMs, points }];
  return { answer, busId: question.isOwn ? question.busId : null, positionCount, tracks };
}

async function refuseManyOf(
  db: Db,
  { busId, isOwn }: LapDayQuestion,
  fromMs: number,
  toMs: number,
): Promise<number> {
  if (!isOwn || fromMs > toMs) return 0;
  return refuseManyPositions(db, busId, fromMs, toMs, 'date');
}

async function listHalts(
  db: Db,
  { busId, isOwn }: LapDayQuestion,
  which: ReturnType<typeof sql<boolean>>,
): Promise<contract.Halt[]> {
  if (!isOwn) return [];
  const rows = await db
    .selectFrom('halts')
    .selectAll()
    .where('workplace_id', '=', busId)
    .where(which)
    .orderBy('start_time')
    .execute();
  return rows.map(({ start_time, end_time, workplace_id, day, ...halt }) => ({
    ...halt,
    start: start_time.toISOString(),
    end: end_time.toISOString(),
  }));
}

async function buildStops(
  db: Db,
  { busId }: LapDayQuestion,
  laps: readonly LapRow[],
): Promise<contract.LapStop[]> {
  const rows = await listLapStopRows(db, laps);
  const places = await findPlaces(db, busId);
  const byId = new Map(laps.map((lap) => [lap.id, lap]));
  const times = rows.flatMap(({ arrival, departure }) => [arrival, departure]);
  const ms = times.flatMap((time) => (time === null ? [] : [time.getTime()]));
  const fragments =
    ms.length === 0
      ? []
      : await listFragments(
          db,
          { busId },
          leastOf(ms, Number) - SLACK_MS,
          mostOf(ms, Number) + SLACK_MS,
          'date',
        );
  return rows.map((row) => {
    const lap = byId.get(row.lap_id);
    const groupName = lap?.group_name ?? null;
    return {
      id: row.route_stop_id,
      position: row.position,
      name: row.name,
      latitude: row.latitude,
      longitude: row.longitude,
      lap: lap?.number ?? 0,
      classifier_id: row.classifier_id,
      routeStop:
        row.route_stop_id === null || groupName === null ? null : { name: row.name, groupName },
      direction: row.direction as contract.RouteDirection | null,
      arrival: row.arrival?.toISOString() ?? null,
      departure: row.departure?.toISOString() ?? null,
      passed_at: row.passed_at?.toISOString() ?? null,
      distance_m: row.distance_m === null ? null : roundTo(row.distance_m, 2),
      evidence: row.evidence as contract.LapStop['evidence'],
      skipped: row.skipped as contract.LapStop['skipped'],
      confidence: roundTo(row.confidence, 2),
      entered: row.entered,
      exited: row.exited,
      passengers: roundTo(row.load, 2),
      raw_passengers: row.raw_load,
      load_percent: places === null ? null : roundTo((100 * row.load) / places, 2),
      segments: fragments.filter((fragment) => isDuring(row, fragment)).map(({ id }) => id),
    };
  });
}

function isDuring(
  { arrival, departure }: LapStopRow,
  fragment: { readonly startMs: number; readonly endMs: number },
): boolean {
  if (arrival === null || departure === null) return false;
  return (
    fragment.startMs <= departure.getTime() + SLACK_MS &&
    fragment.endMs >= arrival.getTime() - SLACK_MS
  );
}

/** Places in a bus; null where unknown. */
async function findPlaces(db: Db, busId: number): Promise<number | null> {
  const bus = await db
    .selectFrom('workplaces')
    .select(['capacity_seated', 'capacity_standing'])
    .where('id', '=', busId)
    .executeTakeFirstOrThrow();
  return (bus.capacity_seated ?? 0) + (bus.capacity_standing ?? 0) || null;
}
