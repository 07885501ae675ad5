// Lists what the figures of a day are made of. The parts add up to the whole exactly, because all of them are read in
// one snapshot, and the people of no lap are the rest.

import type {
  CalculationHour,
  CalculationLap,
  CalculationParts,
} from '@ridewatch/contract/calculation';
import type { DayRange } from '@ridewatch/contract/day';
import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import { roublesOf, takingsOf } from '@ridewatch/contract/money';
import { roundTo } from '@ridewatch/contract/round';
import type { Db } from '../core/db/db.ts';
import { inSnapshot } from '../core/db/snapshot.ts';
import { type CountedFragment, differencesOf, hasManualCount } from '../counts/effective.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { findDayBounds } from '../days/bus-days.ts';
import { findDayState } from '../days/day-state.ts';
import { LAP_MARGIN_MS } from '../days/due-laps.ts';
import { type PeopleSum, peopleOf, sumPeople } from '../figures/hours.ts';
import { type DayFigures, findDayFigures } from '../figures/one-day.ts';
import { SLACK_MS } from '../laps/engine/people/attribute.ts';
import { calculationOn, type DayRecord, findDayRecord, shiftWithin, sideOf } from './day-money.ts';
import { isIn, type PeopleAt, peopleAt, readPeriod, sumOf } from './moments.ts';
import {
  countReviewed,
  type LapRow,
  listEditors,
  listLapsAround,
  listUnpricedPairs,
} from './part-rows.ts';

/**
 * The parts of a bus's calculation of a local day.
 * @param nowMs the present by the clock, ms since 1970 UTC
 * @throws AppError too_large for a day with more events than one call reads
 */
export async function findParts(
  db: Db,
  question: DayOfBus,
  nowMs: number,
): Promise<CalculationParts> {
  return inSnapshot(db, async (tx) => {
    const { busId, day } = question;
    const bounds = await findDayBounds(tx, busId, day);
    const record = await findDayRecord(tx, question);
    const figures = await findDayFigures(tx, { ...question, ...bounds });
    const calculation = await calculationOn(tx, question, figures);
    const laps = (await listLapsAround(tx, question)).map(withBoarding(record.event));
    const own = laps.filter(
      (lap) => lap.day === day || (lap.day < day && lap.endMs > bounds.startMs),
    );
    const { fragments, assigned, people } = await readPeriod(
      tx,
      busId,
      record.event,
      spanOf(bounds, own),
    );
    const shift = shiftWithin(record, bounds);
    const isFixed = !figures.isByLaps;
    const ofLaps = new Map(
      own.map(({ id, boarding }) => [id, people.filter(({ timeMs }) => isIn(boarding, timeMs))]),
    );
    const rows = isFixed
      ? fixedLaps(record, own, ofLaps, shift)
      : pricedLaps(record, own, ofLaps, shift);
    const outside = sumOf(isFixed ? [] : outsideOf(rows, ofLaps, shift));
    const whole = peopleOf(figures.people, sideOf(record.event));
    const other = restOf(whole, rows, outside);
    const manual = fragments.filter((one) => hasManualCount(one) && isIn(bounds, one.startMs));
    return {
      calculation,
      hours: hourRows(record, figures),
      laps: rows,
      other: {
        ...other,
        total: roublesOf(isFixed ? takingsOf(record.fareKopecks, other.count) : 0),
      },
      outside,
      no_price: isFixed ? [] : await listUnpricedPairs(tx, rows),
      corrections: await correctionRows(tx, { record, shift, manual, assigned }),
      fragments: await countReviewed(tx, busId, bounds),
      ...(await findDayState(tx, busId, day, nowMs)),
    };
  });
}

/** A lap with the moments of its people. */
type BoardedLap = LapRow & { readonly boarding: DayRange };

/** The people of each lap, by its id. */
type PeopleOfLaps = ReadonlyMap<number, readonly PeopleAt[]>;

// The moments of a lap's people, as the computation of laps has them: at a terminal people get on the next lap from the
// arrival on, and off the last one until after its departure. Elsewhere they belong to the nearest lap.
function withBoarding(event: CalculationEvent) {
  const arrivalOf = ({ arrivedMs, startMs }: LapRow): number =>
    Math.min(arrivedMs ?? startMs, startMs);
  const between = (before: LapRow, next: LapRow): number => {
    if (before.endMs !== next.startMs) return (before.endMs + arrivalOf(next)) / 2;
    return event === 'EXITED' ? next.startMs + SLACK_MS : arrivalOf(next) - SLACK_MS;
  };
  return (lap: LapRow, n: number, laps: readonly LapRow[]): BoardedLap => {
    const [before, next] = [laps[n - 1], laps[n + 1]];
    const startMs = before ? between(before, lap) : lap.startMs - LAP_MARGIN_MS;
    const endMs = next ? between(lap, next) : lap.endMs + LAP_MARGIN_MS;
    return { ...lap, boarding: { startMs, endMs } };
  };
}

// The day with its laps, which may begin before it and end after it.
function spanOf({ startMs, endMs }: DayRange, laps: readonly BoardedLap[]): DayRange {
  return {
    startMs: Math.min(
      startMs,
      leastOf(laps, ({ boarding }) => boarding.startMs),
    ),
    endMs: Math.max(
      endMs,
      mostOf(laps, ({ boarding }) => boarding.endMs),
    ),
  };
}

function hourRows(
  { fareKopecks, event }: DayRecord,
  { hours, isByLaps }: DayFigures,
): CalculationHour[] {
  return [...Map.groupBy(hours, ({ hourMs }) => hourMs)].flatMap(([hourMs, units]) => {
    const sum = peopleOf(sumPeople(units), sideOf(event));
    if (sum.automatic === 0 && sum.corrections === 0) return [];
    const total = isByLaps ? null : roublesOf(takingsOf(fareKopecks, sum.count));
    return [{ start_time: new Date(hourMs).toISOString(), ...sum, total }];
  });
}

// A lap has the people whom the laps of the day show, less those whose moment is outside the shift or the day.
function fixedLaps(
  { event, fareKopecks }: DayRecord,
  laps: readonly LapRow[],
  people: PeopleOfLaps,
  shift: DayRange,
): CalculationLap[] {
  return laps.flatMap((lap) => {
    const own = people.get(lap.id) ?? [];
    const isWithin = lap.startMs < shift.endMs && lap.endMs > shift.startMs;
    if (!isWithin && !own.some(({ timeMs }) => isIn(shift, timeMs))) return [];
    const [within, without] = [
      sumOf(own.filter(({ timeMs }) => isIn(shift, timeMs))),
      sumOf(own.filter(({ timeMs }) => !isIn(shift, timeMs))),
    ];
    const count = lap[sideOf(event)] - without.count;
    const sum = { automatic: count - within.corrections, corrections: within.corrections, count };
    const total = roublesOf(takingsOf(fareKopecks, count));
    return { ...lapRow(lap), ...sum, total, error: null, no_price: 0 };
  });
}

function pricedLaps(
  { event, day }: DayRecord,
  laps: readonly LapRow[],
  people: PeopleOfLaps,
  shift: DayRange,
): CalculationLap[] {
  return laps
    .filter((lap) => lap.day === day && isIn(shift, lap.startMs))
    .map((lap) => {
      const { corrections } = sumOf(people.get(lap.id) ?? []);
      const count = lap[sideOf(event)];
      return {
        ...lapRow(lap),
        ...{ automatic: count - corrections, corrections, count },
        total: roublesOf(lap.kopecks ?? 0),
        error: roublesOf(lap.errorKopecks ?? 0),
        no_price: roundTo(lap.noPrice, 2),
      };
    });
}

// The people with whom laps count whole although they are not among those of the day.
function outsideOf(
  laps: readonly CalculationLap[],
  people: PeopleOfLaps,
  shift: DayRange,
): PeopleAt[] {
  const own = laps.flatMap(({ lap_id }) => people.get(lap_id) ?? []);
  return own.filter(({ timeMs }) => !isIn(shift, timeMs));
}

function lapRow({ id, day, number, startMs, endMs, open }: LapRow) {
  const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
  return { lap_id: id, date: day, number, start, end, open };
}

function restOf(whole: PeopleSum, laps: readonly PeopleSum[], outside: PeopleSum): PeopleSum {
  const part = sumOf(laps);
  return sumOf([
    {
      automatic: whole.automatic + outside.automatic - part.automatic,
      corrections: whole.corrections + outside.corrections - part.corrections,
    },
  ]);
}

async function correctionRows(
  db: Db,
  {
    record,
    shift,
    manual,
    assigned,
  }: {
    readonly record: DayRecord;
    readonly shift: DayRange;
    readonly manual: readonly CountedFragment[];
    readonly assigned: Awaited<ReturnType<typeof readPeriod>>['assigned'];
  },
): Promise<CalculationParts['corrections']> {
  const editors = await listEditors(
    db,
    manual.map(({ id }) => id),
  );
  return manual.flatMap((fragment) => {
    const editor = editors.get(fragment.id);
    if (editor === undefined) return [];
    const differences = differencesOf([fragment], assigned);
    const sum = sumOf(peopleAt(record.event, assigned.get(fragment.id) ?? [], differences));
    return [
      {
        segment_id: fragment.id,
        camera_id: editor.cameraId,
        door: fragment.door,
        time: new Date(fragment.startMs).toISOString(),
        ...sum,
        inside: isIn(shift, fragment.startMs),
        at: editor.at.toISOString(),
        by: editor.login,
      },
    ];
  });
}
