import type { CalculationParts } from '@ridewatch/contract/calculation';
import { formatMoment } from '@ridewatch/contract/day';
import { hourStartName } from '@ridewatch/contract/hours';
import { csvOf } from '../../charts/save-chart.ts';
import type { CalculatorTexts } from './texts-ru.ts';

/**
 * Makes the table of a day's calculation: its figures, then the laps, or the hours of a day without laps.
 * @returns CSV
 */
export function exportTable(
  parts: CalculationParts,
  { busName, zone, text }: { busName: string; zone: string; text: CalculatorTexts },
): string {
  const { calculation, laps, other, outside, hours } = parts;
  const clock = (moment: string | null, none: string) =>
    moment === null ? none : formatMoment(Date.parse(moment), zone, 'HH:mm');
  const counted = text.counted[calculation.calculation_event];
  const figures: [string, string | number][] = [
    [busName, calculation.date],
    [text.fields.fare, calculation.fare],
    [counted, calculation.count],
    [text.total, calculation.total],
    ...optional('±', calculation.total_error),
    [`${text.salary}, %`, Number(calculation.salary_percent)],
    [text.salary, calculation.salary],
    [text.fields.cashless, calculation.cashless],
    [text.result, calculation.result],
    ...optional(text.fields.handed_in, calculation.handed_in),
    ...optional(text.difference, calculation.difference),
    [
      text.fields.shift,
      `${clock(calculation.shift_start, '00:00')}–${clock(calculation.shift_end, '24:00')}`,
    ],
    [text.fields.driver, calculation.driver ?? ''],
  ];
  const head = [text.counter, text.corrections, counted, text.revenue];
  const rows =
    laps.length > 0
      ? [
          ['№', text.lap, ...head, '±'],
          ...laps.map((lap) => [
            lap.number,
            `${clock(lap.start, '')}–${lap.open ? '' : clock(lap.end, '')}`,
            ...[lap.automatic, lap.corrections, lap.count, lap.total],
            lap.error ?? '',
          ]),
          ['', text.outOfLaps, ...[other.automatic, other.corrections, other.count, other.total]],
          ...(outside.count === 0 && outside.corrections === 0
            ? []
            : [
                ['', text.outOfShift, -outside.automatic, -outside.corrections, -outside.count, ''],
              ]),
        ]
      : [
          [text.hour, ...head],
          ...hours.map((hour) => [
            hourStartName(Date.parse(hour.start_time), zone),
            ...[hour.automatic, hour.corrections, hour.count],
            hour.total ?? '',
          ]),
        ];
  return csvOf([...figures, [], ...rows]);
}

function optional(name: string, roubles: string | null): [string, string][] {
  return roubles === null ? [] : [[name, roubles]];
}
