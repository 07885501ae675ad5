// Answers of the statistics for component tests.
import type { findPassengerTraffic, TrafficRow } from '@ridewatch/contract/stats';
import type { AnswerOf } from '../calls/request.ts';

/** The people of a series at a tick. */
export const trafficRow = (
  id: TrafficRow['id'],
  start_time: string,
  entered: number,
  silent_hours = 0,
  running = false,
): TrafficRow => ({
  ...{ id, start_time, running, days: 1, heard_hours: 10 },
  entered,
  exited: entered,
  entered_kids: 0,
  exited_kids: 0,
  fare: '10.00',
  no_price: 0,
  silent_hours,
});

/** The series of ids, called by a word and the id. */
export const seriesOf = (ids: readonly number[], word = 'Route') =>
  ids.map((id) => ({ id, name: `${word} ${id}`, missing_hours: 0 }));

/** The traffic of routes 5 and 6 by day. */
export const traffic = (
  items: TrafficRow[],
  more: Partial<AnswerOf<typeof findPassengerTraffic>> = {},
): AnswerOf<typeof findPassengerTraffic> => ({
  items,
  number: 0,
  total: items.length,
  series: seriesOf([5, 6]),
  tick: 'day',
  totals: {
    entered: items.reduce((sum, { entered }) => sum + entered, 0),
    exited: items.reduce((sum, { exited }) => sum + exited, 0),
    entered_kids: 0,
    exited_kids: 0,
    fare: (items.length * 10).toFixed(2),
    no_price: 0,
    silent_hours: items.reduce((sum, { silent_hours }) => sum + silent_hours, 0),
    heard_hours: 97,
    missing_hours: 0,
    days_with_data: new Set(items.map(({ start_time }) => start_time)).size,
    first_day: items[0]?.start_time ?? null,
  },
  pending: 0,
  arriving: null,
  ...more,
});
