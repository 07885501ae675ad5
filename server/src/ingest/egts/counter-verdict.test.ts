// Counters that only grow are told from others by their numbers alone: of days of buses that are busy, quiet, full at a
// terminal and switched off at each end of the line.
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { sampleRows, samples } from '../../test/samples.ts';
import { type Counts, changesOf, sumOf, verdictOf } from './counter-verdict.ts';

const DAYS = inject('triesEverything') ? 1_000 : 20;
const DOORS = 3;
/** Numbers of a unit that a check looks at. */
const LOOKED_AT = 300;

/** A generator of numbers from 0 to 1 (mulberry32), the same in each run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function poisson(mean: number, roll: () => number): number {
  const limit = Math.exp(-mean);
  let [count, product] = [0, roll()];
  while (product > limit) {
    count += 1;
    product *= roll();
  }
  return count;
}

interface Bus {
  readonly name: string;
  /** People through a door at a stop, of those in a row on a line. */
  readonly mean: (stop: number, hour: number) => number;
  readonly stopsOfLap: number;
  readonly stopsOfDay: number;
  /** Whether its counters begin at 0 at each end of the line. */
  readonly beginsAnew?: boolean;
}

const rush = (hour: number): number => (hour < 3 || (hour > 9 && hour < 13) ? 2 : 1);
const BUSES: readonly Bus[] = [
  { name: 'a busy bus', mean: (_, hour) => 3 * rush(hour), stopsOfLap: 40, stopsOfDay: 480 },
  { name: 'a bus of many', mean: (_, hour) => 12 * rush(hour), stopsOfLap: 30, stopsOfDay: 400 },
  { name: 'a quiet bus', mean: () => 0.25, stopsOfLap: 25, stopsOfDay: 300 },
  // At each stop more people than at the one before.
  { name: 'a line into the town', mean: (stop) => 0.5 + stop / 2, stopsOfLap: 20, stopsOfDay: 320 },
  {
    ...{ name: 'a bus from the metro', stopsOfLap: 24, stopsOfDay: 330 },
    mean: (stop) => (stop === 0 ? 35 : 0.8),
  },
  {
    ...{ name: 'a bus that is switched off at its terminals', stopsOfLap: 40, stopsOfDay: 480 },
    ...{ mean: () => 2, beginsAnew: true },
  },
];

interface Sent {
  readonly counter: number;
  readonly value: number;
}

/** The numbers of a day by counter, in the order in which they are sent. */
function dayOf(bus: Bus, seed: number, counts: Counts): Sent[] {
  const roll = dice(seed);
  const shown = Array.from({ length: DOORS * 2 }, () => Math.floor(roll() * 256));
  const day: Sent[] = [];
  for (let n = 0; n < bus.stopsOfDay; n += 1) {
    const stop = n % bus.stopsOfLap;
    const hour = Math.floor((n / bus.stopsOfDay) * 16);
    if (stop === 0 && bus.beginsAnew === true) shown.fill(0);
    for (const counter of shown.keys()) {
      const people = Math.min(255, poisson(bus.mean(stop, hour), roll));
      shown[counter] = ((shown[counter] ?? 0) + people) % 256;
      day.push({ counter, value: counts === 'delta' ? people : (shown[counter] ?? 0) });
    }
  }
  return day;
}

const verdictsOf = (bus: Bus, seed: number, sent: Counts, setting: Counts): Set<string> =>
  verdictsOn(dayOf(bus, seed, sent), setting);

const verdictsOn = (sent: readonly Sent[], setting: Counts): Set<string> =>
  new Set(hourlyVerdicts(sent, setting).map((verdict) => verdict ?? 'unknown'));

/** The verdicts of a day, one an hour. */
function hourlyVerdicts(sent: readonly Sent[], setting: Counts): (Counts | undefined)[] {
  // Nobody is no event unless the number is what a counter shows.
  const day = sent.filter(({ value }) => setting === 'cumulative' || value > 0);
  const verdicts: (Counts | undefined)[] = [];
  for (let hour = 1; hour <= 16; hour += 1) {
    const last = day.slice(0, Math.ceil((day.length * hour) / 16)).slice(-LOOKED_AT);
    const byCounter = [...Map.groupBy(last, ({ counter }) => counter).values()];
    const changes = sumOf(byCounter.map((some) => changesOf(some.map(({ value }) => value))));
    const most = Math.max(0, ...last.map(({ value }) => value));
    verdicts.push(verdictOf(setting, changes, most));
  }
  return verdicts;
}

/** The notices that the hourly checks of a day begin, when each stays until a verdict contradicts it. */
function noticesOn(sent: readonly Sent[], setting: Counts): number {
  let [notices, isTold] = [0, false];
  for (const verdict of hourlyVerdicts(sent, setting)) {
    if (verdict === undefined) continue;
    const isOdd = verdict !== setting;
    if (isOdd && !isTold) notices += 1;
    isTold = isOdd;
  }
  return notices;
}

const seeds = [...Array(DAYS).keys()];

describe.each(BUSES.map((bus) => [bus.name, bus] as const))('%s', (_, bus) => {
  it('that sends who came is never taken for a counter that only grows', () => {
    const wrong = seeds.filter((n) => verdictsOf(bus, n, 'delta', 'delta').has('cumulative'));
    expect(wrong).toEqual([]);
  });

  it('with a counter that only grows is found within a day', () => {
    const missed = seeds.filter(
      (n) => !verdictsOf(bus, n, 'cumulative', 'delta').has('cumulative'),
    );
    expect(missed).toEqual([]);
  });

  it('with a counter that only grows is never taken for one that sends who came', () => {
    const wrong = seeds.filter((n) => verdictsOf(bus, n, 'cumulative', 'cumulative').has('delta'));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['cumulative', 'delta'],
    ['delta', 'cumulative'],
  ] as const)('that sends %s to the setting %s has one notice a day', (sent, setting) => {
    const again = seeds.filter((n) => noticesOn(dayOf(bus, n, sent), setting) !== 1);
    expect(again).toEqual([]);
  });

  it('that sends who came to a setting of the other kind is found within a day', () => {
    const missed = seeds.filter((n) => !verdictsOf(bus, n, 'delta', 'cumulative').has('delta'));
    expect(missed).toEqual([]);
  });
});

describe('days of real buses', () => {
  beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));

  /** The stops of a line and day, as if one bus had driven all of its trips. */
  function realDays(counts: Counts): Sent[][] {
    const visits = sampleRows('counts/geneva_2012_lines_31_41.csv');
    const days = Map.groupBy(visits, ({ date, route }) => `${date} ${route}`);
    return [...days.values()].map((day) => {
      const shown = [0, 0];
      return day.flatMap(({ boardings, alightings }) =>
        [boardings, alightings].map((people, counter) => {
          shown[counter] = ((shown[counter] ?? 0) + Number(people)) % 256;
          return { counter, value: counts === 'delta' ? Number(people) : (shown[counter] ?? 0) };
        }),
      );
    });
  }

  it('are taken for what they are in either form, and found in the wrong one', () => {
    const [deltas, growing] = [realDays('delta'), realDays('cumulative')];
    expect(deltas.length).toBeGreaterThan(5);
    for (const day of deltas) {
      expect(verdictsOn(day, 'delta')).not.toContain('cumulative');
      expect(verdictsOn(day, 'cumulative')).toContain('delta');
    }
    for (const day of growing) {
      expect(verdictsOn(day, 'delta')).toContain('cumulative');
      expect(verdictsOn(day, 'cumulative')).not.toContain('delta');
    }
  });
});

it('a handful of numbers says nothing', () => {
  expect(verdictOf('delta', { rises: 39, falls: 0 }, 255)).toBeUndefined();
  expect(verdictOf('cumulative', { rises: 20, falls: 19 }, 255)).toBeUndefined();
});

it('falls between the limits say nothing, whichever way a unit is set', () => {
  for (const counts of ['delta', 'cumulative'] as const) {
    expect(verdictOf(counts, { rises: 66, falls: 34 }, 255)).toBe('delta');
    expect(verdictOf(counts, { rises: 68, falls: 32 }, 255)).toBeUndefined();
    expect(verdictOf(counts, { rises: 87, falls: 13 }, 255)).toBeUndefined();
    expect(verdictOf(counts, { rises: 88, falls: 12 }, 255)).toBe('cumulative');
  }
});

it('few falls of small numbers say nothing of a unit that is set to who came', () => {
  expect(verdictOf('delta', { rises: 88, falls: 12 }, 31)).toBeUndefined();
});
