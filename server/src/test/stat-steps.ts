// Changes of everything that statistics depend on, at random.
import { addDays } from '@ridewatch/contract/day';
import fc from 'fast-check';

/** Six weeks around the night in which Berlin changes to summer time. */
export const FIRST_DAY = '2026-03-05';
export const DAYS = 42;

const bus = fc.nat(5);
/** A day of those weeks. */
export const day = fc.nat(DAYS - 1).map((shift) => addDays(FIRST_DAY, shift));
const hour = fc.integer({ min: 0, max: 22 });
const count = fc.integer({ min: 1, max: 9 });
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('events' as const),
      bus,
      day,
      events: fc.array(
        fc.record({
          hour,
          count,
          direction: fc.constantFrom('entered' as const, 'exited' as const),
          passenger: fc.constantFrom('adult' as const, 'adult' as const, 'child' as const),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('manual' as const), bus, day, hour, count }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('calculation' as const),
      bus,
      day,
      fare: fc.integer({ min: 0, max: 9999 }),
      event: fc.constantFrom('ENTERED' as const, 'EXITED' as const),
      shift: fc.option(fc.tuple(hour, fc.integer({ min: 1, max: 12 }))),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settings' as const),
      bus,
      day,
      route: fc.nat(3),
      zone: fc.constantFrom('Europe/Berlin', 'Europe/Berlin', 'Europe/Moscow', 'Asia/Kolkata'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lap' as const),
      bus,
      day,
      hour,
      kopecks: fc.option(fc.nat(100_000), { freq: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('customers' as const),
      bus,
      owners: fc.subarray(['first' as const, 'second' as const]),
      // From this day on; on all days.
      from: fc.option(day),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      bus,
      day,
      isCutOff: fc.boolean(),
    }),
  },
);
/** Changes at once. */
export const atOnce = fc.array(step, { minLength: 1, maxLength: 4 });
/** A change of one bus. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
