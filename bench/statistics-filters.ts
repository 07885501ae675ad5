// Q8: random filters of passenger traffic, row by row against DuckDB that counts the raw events.
import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays } from '@ridewatch/contract/day';
import { tickOf } from '@ridewatch/contract/stat-ticks';
import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { randomOf } from '@ridewatch/server/src/test/drive.ts';
import { type Result, resultOf } from './measure.ts';
import { FIRST_DAY, type Size, ZONE_HOURS } from './statistics-data.ts';

const FILTERS = 100;
/** Most buses of a filter with a series each. */
const MOST_BUSES = 50;

interface Filter {
  readonly groupby: 'bus' | 'route';
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly buses: readonly number[] | undefined;
  readonly weekdays: readonly number[];
}

/** Compares random filters; the row has the number of those that differ. */
export async function compareFilters(
  url: string,
  headers: Readonly<Record<string, string>>,
  duck: DuckDBConnection,
  size: Size,
  ids: readonly number[],
): Promise<Result> {
  await recount(duck);
  const random = randomOf(8);
  let different = 0;
  for (let n = 0; n < FILTERS; n += 1) {
    const filter = filterOf(random, size, ids);
    const [told, known] = [await ask(url, headers, filter), await count(duck, filter)];
    if (told.join('\n') === known.join('\n')) continue;
    different += 1;
    process.stderr.write(`Q8: ${JSON.stringify(filter)} differs\n`);
  }
  const row = {
    id: 'Q8',
    what: `random filters that differ from a count of the raw events, of ${FILTERS}`,
    unit: 'filters',
    target: '≤ 0',
    counters: { events: size.buses * size.days * size.events },
  };
  return resultOf(row, [{ product: different, limit: FILTERS }]);
}

function filterOf(random: () => number, { days }: Size, ids: readonly number[]): Filter {
  const below = (most: number): number => Math.floor(random() * most);
  const start = below(days);
  const weekdays = [1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.7);
  return {
    groupby: random() < 0.5 ? 'bus' : 'route',
    dateFrom: addDays(FIRST_DAY, start),
    dateTo: addDays(FIRST_DAY, start + below(days - start)),
    buses:
      random() < 0.3
        ? undefined
        : Array.from({ length: 1 + below(MOST_BUSES) }, () => ids[below(ids.length)] ?? 0),
    weekdays: weekdays.length === 0 ? [1] : weekdays,
  };
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  { groupby, dateFrom, dateTo, buses, weekdays }: Filter,
): Promise<string[]> {
  const query = new URLSearchParams({ groupby, dateFrom, dateTo });
  for (const weekday of weekdays) query.append('dayOfWeek', String(weekday));
  for (const bus of buses ?? []) query.append('workplaces', String(bus));
  const answer = await fetch(`${url}/api/stat/passenger-traffic?${query}`, { headers });
  if (!answer.ok) throw new Error(`Q8: ${answer.status} ${await answer.text()}`);
  const { items } = (await answer.json()) as PassengerTraffic;
  return items
    .map(({ id, start_time, entered, exited, entered_kids }) =>
      [id === '!ungrouped' ? 0 : id, start_time, entered, exited, entered_kids].join(' '),
    )
    .sort();
}

// The raw events once by bus and day: to scan them for each filter takes hours.
async function recount(duck: DuckDBConnection): Promise<void> {
  const people = (condition: string): string =>
    `coalesce(sum(count) filter (where ${condition}), 0)`;
  await duck.run(`
    create or replace table recounted as
    select bus, route, (time + interval ${ZONE_HOURS} hour)::date as day,
      ${people("direction = 'entered'")} as entered, ${people("direction = 'exited'")} as exited,
      ${people("direction = 'entered' and passenger = 'child'")} as kids
    from events group by all`);
}

async function count(
  duck: DuckDBConnection,
  { groupby, dateFrom, dateTo, buses, weekdays }: Filter,
): Promise<string[]> {
  const tick = tickOf({ dateFrom, dateTo });
  const reader = await duck.runAndReadAll(`
    select ${groupby} as series, greatest(date_trunc('${tick}', day)::date, date '${dateFrom}')::varchar as start,
      sum(entered)::integer as entered, sum(exited)::integer as exited, sum(kids)::integer as kids
    from recounted
    where day between '${dateFrom}' and '${dateTo}' and isodow(day) in (${weekdays.join(',')})
      ${buses === undefined ? '' : `and bus in (${buses.join(',')})`}
    group by 1, 2`);
  return reader
    .getRowObjectsJson()
    .map(({ series, start, entered, exited, kids }) =>
      [series, start, entered, exited, kids].join(' '),
    )
    .sort();
}
