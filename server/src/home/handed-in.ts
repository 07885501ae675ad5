// Days on which a driver handed in less than the calculator says was due.
import { hundredthsOf, resultOf, roublesOf, salaryOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import { isOwnDay } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { type BusDay, boundsOfDay, type ZoneSpan } from '../days/bus-days.ts';
import { sumDays } from '../figures/many-days.ts';

/** Days before the present one that are looked at: a week is settled with a driver by then. */
const DAYS_BACK = 7;
/** Most days that are read from their records. */
const MOST_DAYS = 200;

/** A day of a bus; amounts in roubles with two decimals. */
export interface ShortDay {
  readonly busId: number;
  readonly day: string;
  readonly due: string;
  readonly handedIn: string;
}

interface Row {
  readonly busId: number;
  readonly day: string;
  readonly handedIn: number;
  readonly cashless: number;
  /** `18.50` */
  readonly percent: string;
}

/**
 * Lists the days of the last week on which less was handed in than due, the latest first, in two statements. The present
 * day counts once its shift has ended: until then what is due grows. Which days to look at is of the last settlement, a
 * few minutes old; their amounts are those of the calculator.
 * @param days the present local day of each bus
 * @param nowMs ms since 1970 UTC
 */
export async function listShortDays(
  db: Db,
  viewer: Viewer,
  zones: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: readonly BusDay[],
  nowMs: number,
): Promise<ShortDay[]> {
  const rows = await listAsked(db, viewer, days, nowMs);
  if (rows.length === 0) return [];
  const bounds = rows.map(({ busId, day }) => ({
    ...{ busId, day },
    ...boundsOfDay(zones.get(busId) ?? [], day),
  }));
  const sums = await sumDays(db, bounds);
  const totals = new Map(sums.map(({ busId, day, kopecks }) => [`${busId} ${day}`, kopecks]));
  return rows.flatMap(({ busId, day, handedIn, cashless, percent }) => {
    const total = totals.get(`${busId} ${day}`) ?? 0;
    const due = resultOf(total, salaryOf(total, hundredthsOf(percent)), cashless);
    if (handedIn >= due) return [];
    return [{ busId, day, due: roublesOf(due), handedIn: roublesOf(handedIn) }];
  });
}

async function listAsked(
  db: Db,
  viewer: Viewer,
  days: readonly BusDay[],
  nowMs: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select calc.workplace_id as "busId", calc.day, handed_in_kopecks::float8 as "handedIn",
      cashless_kopecks::float8 as cashless, salary_percent::text as percent
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
      as bus (id, today)
    join workplaces on workplaces.id = bus.id and bus_calculation
    join calculations as calc on calc.workplace_id = bus.id
      and calc.day between bus.today - ${DAYS_BACK}::int and bus.today
    left join day_traffic as settled on settled.workplace_id = bus.id and settled.day = calc.day
    cross join lateral (select coalesce(settled.revenue_kopecks, 0)::numeric as kopecks) as total
    where handed_in_kopecks is not null
      and ${isOwnDay(viewer, sql.ref('calc.workplace_id'), sql.ref('calc.day'))}
      and (calc.day < bus.today or shift_end <= ${new Date(nowMs)})
      and handed_in_kopecks < kopecks - round(kopecks * salary_percent / 100) - cashless_kopecks
    order by calc.day desc, bus.id
    limit ${MOST_DAYS}`.execute(db);
  return rows;
}
