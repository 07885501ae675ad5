import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { BusDay } from '../days/bus-days.ts';
import { isPending } from '../days/day-state.ts';
import { sendsOlder } from '../days/late-records.ts';
import type { BusSum } from '../figures/many-days.ts';

/** Twice the age that laps have in the usual run of things (days/due-laps.ts), ms. */
const LAPS_WAIT_MS = 10 * 60_000;
/** Records so late are on their way in the usual run of things, ms. */
const USUAL_DELAY_MS = 5 * 60_000;

/** Local days of buses, and what they have come to on them. */
export interface SummedDays {
  readonly days: readonly BusDay[];
  readonly sums: readonly BusSum[];
}

/** Buses whose figures lack something. */
export interface Incomplete {
  /** Those that lack something late, so that the page says so. */
  readonly late: Set<number>;
  /** Beside these, those whose first laps of the day come in the usual time: their revenue says nothing yet. */
  readonly all: Set<number>;
}

/**
 * The buses whose figures lack something that is on its way, on the present day or on the one it is compared with: hours
 * that are being recounted, laps of people that nobody has worked out yet, or records that the unit still sends. Laps of
 * the present day follow its people by minutes, the first ones, too; only later ones are late. A day that broke a limit
 * is not on its way.
 * @param present the present local day of each bus
 * @param compared the day with which it is compared
 * @param nowMs ms since 1970 UTC
 */
export async function listIncomplete(
  db: Db,
  present: SummedDays,
  compared: SummedDays,
  nowMs: number,
): Promise<Incomplete> {
  const ago = (ms: number): RawBuilder<Date> => sql<Date>`${new Date(nowMs - ms)}::timestamptz`;
  const days = [...daysOf(present, true), ...daysOf(compared, false)];
  const { rows } = await sql<{ busId: number; isLate: boolean }>`
    select bus.id as "busId", bool_or(is_late) as "isLate"
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${days.map(({ carries }) => carries)}::boolean[],
      ${days.map(({ runs }) => runs)}::boolean[]) as bus (id, day, start, "end", carries, runs)
    cross join lateral (
      select asked_at < ${ago(LAPS_WAIT_MS)} or not bus.runs as is_late from lap_days
      where bus.carries and workplace_id = bus.id and day = bus.day and ${isPending(nowMs)}
        and (computed_at is null or asked_at < ${ago(LAPS_WAIT_MS)})
      union all
      select true where exists (
        select from stale_hours where workplace_id = bus.id and day = bus.day
      ) or exists (
        select from unit_assignments as assigned join units on units.id = assigned.unit_id
        cross join lateral (select greatest(backlog_from, from_at) as from_at) as oldest
        where assigned.workplace_id = bus.id and ${sendsOlder(nowMs)} and until_at > backlog_from
          and oldest.from_at >= bus.start and oldest.from_at < least(bus."end", ${ago(USUAL_DELAY_MS)})
      )
    ) as lacks
    group by bus.id`.execute(db);
  const late = rows.filter(({ isLate }) => isLate);
  return {
    late: new Set(late.map(({ busId }) => busId)),
    all: new Set(rows.map(({ busId }) => busId)),
  };
}

// Whether a bus carried people on its day: laps of the others say nothing of money.
function daysOf(
  { days, sums }: SummedDays,
  runs: boolean,
): (BusDay & { carries: boolean; runs: boolean })[] {
  const carrying = new Set(sums.filter((one) => one.entered > 0).map(({ busId }) => busId));
  return days.map((day) => ({ ...day, carries: carrying.has(day.busId), runs }));
}
