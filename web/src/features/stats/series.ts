// The series of a chart from the rows of a statistic.
import { type DaySpan, ticksOf } from '@ridewatch/contract/stat-ticks';
import type { findPassengerTraffic, TrafficRow } from '@ridewatch/contract/stats';
import type { AnswerOf } from '../../request.ts';
import type { CountKey } from './filters.ts';
import { colourOf } from './palette.ts';

export type Traffic = AnswerOf<typeof findPassengerTraffic>;

/** A line of the chart. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly total: number;
  readonly silentHours: number;
  /** By tick; undefined where the answer has no row, or the tick is in the future. */
  readonly values: readonly (number | undefined)[];
  /** By tick, hours. */
  readonly silence: readonly number[];
}

export interface Chart {
  readonly ticks: readonly DaySpan[];
  readonly series: readonly Series[];
}

/**
 * Arranges the rows of an answer by series, the largest first.
 * @param nameless the name of the series of the buses without a route
 */
export function chartOf(
  traffic: Traffic,
  span: DaySpan,
  { key, today, nameless }: { key: CountKey; today: string; nameless: string },
): Chart {
  const ticks = ticksOf(span, traffic.tick);
  const places = new Map(ticks.map(({ dateFrom }, at) => [dateFrom, at]));
  const rows = new Map<string, TrafficRow[]>();
  for (const row of traffic.items) {
    const own = rows.get(String(row.id));
    if (own) own.push(row);
    else rows.set(String(row.id), [row]);
  }
  const found = traffic.series.map(({ id, name }) => {
    const values: (number | undefined)[] = ticks.map(({ dateFrom }) =>
      dateFrom > today ? undefined : 0,
    );
    const silence = ticks.map(() => 0);
    // Kopecks, or hundredths of people: sums of floats would not be exact.
    let total = 0;
    for (const row of rows.get(String(id)) ?? []) {
      const at = places.get(row.start_time);
      if (at === undefined) continue;
      const figure = Number(row[key]);
      values[at] = figure;
      silence[at] = row.silent_hours;
      total += Math.round(figure * 100);
    }
    const silentHours = silence.reduce((sum, hours) => sum + hours, 0);
    return {
      id: String(id),
      name: name || nameless,
      total: total / 100,
      values,
      silence,
      silentHours,
    };
  });
  found.sort((a, b) => b.total - a.total);
  return { ticks, series: found.map((one, at) => ({ ...one, colour: colourOf(at) })) };
}

/** The change from a value to another, per cent; undefined where there was nothing before. */
export function changeOf(before: number | undefined, now: number): number | undefined {
  return before ? ((now - before) / before) * 100 : undefined;
}
