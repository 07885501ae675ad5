// Answers of the calculator; a test adds what matters to it.
import type { CalculationLap, CalculationParts } from '@ridewatch/contract/calculation';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { TODAY } from './browser.ts';
import { at } from './made.ts';

export const calculation = (more: Partial<Calculation> = {}): Calculation => ({
  workplace_id: 7,
  date: TODAY,
  stored: true,
  copied_from: null,
  updated_at: null,
  updated_by: null,
  fare: '45.00',
  salary_percent: '18.00',
  cashless: '0.00',
  calculation_event: 'ENTERED',
  pending: false,
  shift_start: null,
  shift_end: null,
  driver: null,
  handed_in: null,
  type_calculation: 'FIXED',
  count: 12,
  outside_shift: 0,
  total: '540.00',
  total_error: null,
  no_price: 0,
  salary: '97.20',
  result: '442.80',
  difference: null,
  ...more,
});

export const calculationLap = (
  number: number,
  more: Partial<CalculationLap> = {},
): CalculationLap => ({
  lap_id: 100 + number,
  date: TODAY,
  number,
  start: at(`0${5 + number}:00`),
  end: at(`0${5 + number}:50`),
  open: false,
  automatic: 12,
  corrections: 0,
  count: 12,
  total: '540.00',
  error: null,
  no_price: 0,
  ...more,
});

export const calculationParts = (more: Partial<CalculationParts> = {}): CalculationParts => ({
  calculation: calculation(),
  hours: [{ start_time: at('08:00'), automatic: 12, corrections: 0, count: 12, total: '540.00' }],
  laps: [calculationLap(1)],
  other: { automatic: 0, corrections: 0, count: 0, total: '0.00' },
  no_price: [],
  outside: { automatic: 0, corrections: 0, count: 0 },
  corrections: [],
  fragments: { total: 3, reviewed: 1 },
  pending: false,
  failure: null,
  ...more,
});
