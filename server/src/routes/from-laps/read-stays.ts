import type { Db } from '../../core/db/db.ts';
import type { Leg, Stay } from './stays.ts';

/** A bus and a period. */
export interface Span {
  readonly busId: number;
  readonly start: Date;
  readonly end: Date;
}

/** Halts that touch a period, and shorter calls at stops. */
export async function readStays(db: Db, { busId, start, end }: Span): Promise<Stay[]> {
  const halts = await db
    .selectFrom('halts')
    .select(['start_time', 'end_time', 'latitude', 'longitude', 'entered', 'exited'])
    .where('workplace_id', '=', busId)
    .where('start_time', '<=', end)
    .where('end_time', '>=', start)
    .execute();
  const calls = await db
    .selectFrom('lap_stops')
    .innerJoin('laps', 'laps.id', 'lap_stops.lap_id')
    .select([
      'arrival',
      'departure',
      'latitude',
      'longitude',
      'lap_stops.entered',
      'lap_stops.exited',
    ])
    .where('workplace_id', '=', busId)
    .where('arrival', '<=', end)
    .where('departure', '>=', start)
    .where('evidence', 'in', ['slow', 'event'])
    .execute();
  return [
    ...halts.map(({ start_time: from, end_time: to, ...rest }) => stayOf(from, to, rest)),
    ...calls.flatMap(({ arrival: from, departure: to, ...rest }) =>
      from === null || to === null ? [] : [stayOf(from, to, rest)],
    ),
  ];
}

function stayOf(
  from: Date,
  to: Date,
  {
    latitude,
    longitude,
    entered,
    exited,
  }: Record<'latitude' | 'longitude' | 'entered' | 'exited', number>,
): Stay {
  const people = entered + exited;
  return { latitude, longitude, startMs: from.getTime(), endMs: to.getTime(), people };
}

/** The legs of complete laps that begin on a local day; of one lap when given, complete or not. */
export async function readLegs(db: Db, busId: number, day: string, lapId?: number): Promise<Leg[]> {
  const rows = await db
    .selectFrom('laps')
    .select('legs')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .$if(lapId !== undefined, (query) => query.where('id', '=', lapId ?? 0))
    .$if(lapId === undefined, (query) => query.where('incomplete', 'is', null))
    .orderBy('number')
    .execute();
  return rows
    .flatMap(({ legs }) => legs as { direction: Leg['direction']; start: string; end: string }[])
    .map(({ direction, start, end }) => ({
      direction,
      startMs: Date.parse(start),
      endMs: Date.parse(end),
    }));
}
