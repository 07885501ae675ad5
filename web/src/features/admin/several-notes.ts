// The effects of a change of several rows that its lines do not tell.
import { dayOf } from '@ridewatch/contract/day';
import { nowMs } from '../../core/clock.ts';
import { formatDay } from '../../i18n/format.ts';
import type { AnyRow } from './section.ts';
import type { Would } from './several-change.ts';
import type { SeveralTexts } from './several-texts-ru.ts';

/** Says which days a route changes, by the present local days of the buses. @param day `YYYY-MM-DD` */
export function routeNotes(
  day: string,
  rows: readonly AnyRow[],
  text: SeveralTexts,
): readonly string[] {
  const now = nowMs();
  const days = rows.map((row) => ('timezone' in row ? dayOf(now, String(row.timezone)) : day));
  if (days.some((today) => day < today)) return text.routeOfPast(formatDay(day));
  return [
    days.every((today) => day > today) ? text.routeToCome(formatDay(day)) : text.routeOfToday,
  ];
}

/** Says whose the days are of buses that go to another customer, and what ends. */
export function customerNotes(
  { former_clients: former = [] }: Would,
  text: SeveralTexts,
): readonly string[] {
  const countOf = (isCounted: (one: (typeof former)[number]) => boolean) => {
    const count = former.filter(isCounted).length;
    return count === 0 ? undefined : text.ofThem(count, former.length);
  };
  const [dated, whole] = [
    countOf(({ from }) => from !== null),
    countOf(({ from }) => from === null),
  ];
  const route = countOf(({ route_ends }) => route_ends);
  const fare = countOf(({ fare_ends }) => fare_ends);
  return [
    ...(dated === undefined ? [] : [text.daysStay]),
    ...(whole === undefined ? [] : [text.allDaysPass(whole)]),
    ...(route === undefined ? [] : [text.routeEnds(route, dated !== undefined)]),
    ...(fare === undefined ? [] : [text.fareEnds(fare)]),
  ];
}
