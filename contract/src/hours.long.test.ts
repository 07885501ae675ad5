// Every zone that the platform knows, at both changes of each year from 2010 to 2040.
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, dayRange, momentOf } from './day.ts';
import { hoursOf } from './hours.ts';

/** No zone changes its offset twice within it. */
const STEP_MS = 5 * 86_400_000;
/** Days into which clocks returned from the next one, so that a part of the next one is in them. */
const RETURNED = [
  'America/Goose_Bay 2010-11-06',
  'America/St_Johns 2010-11-06',
  'Antarctica/Casey 2010-03-04',
];
const [FROM_MS, TO_MS] = [Date.UTC(2010), Date.UTC(2041)];

interface Shown {
  readonly day: string;
  readonly time: string;
  readonly hour: string;
  readonly offset: string;
}

function clockOf(zone: string): (ms: number) => Shown {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', timeZoneName: 'longOffset' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  return (ms) => {
    const parts = new Map(clock.formatToParts(ms).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    return {
      day: `${of('year')}-${of('month')}-${of('day')}`,
      time: `${of('hour')}:${of('minute')}:${of('second')}`,
      hour: of('hour'),
      offset: of('timeZoneName'),
    };
  };
}

/** The moments at which the offset of a zone changes. */
function changesOf(clock: (ms: number) => Shown): number[] {
  const changes: number[] = [];
  for (let ms = FROM_MS; ms < TO_MS; ms += STEP_MS) {
    if (clock(ms).offset === clock(ms + STEP_MS).offset) continue;
    let [before, after] = [ms, ms + STEP_MS];
    while (after - before > 1000) {
      const middle = before + Math.floor((after - before) / 2000) * 1000;
      if (clock(middle).offset === clock(before).offset) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/** Lists what is wrong with the hours of a day, in words. */
function faultsOf(zone: string, day: string, clock: (ms: number) => Shown): string[] {
  const range = dayRange(day, zone);
  const starts = hoursOf(range, zone);
  const faults: string[] = [];
  if (range.endMs > range.startMs && starts[0] !== range.startMs) faults.push('does not begin');
  for (const [at, startMs] of starts.entries()) {
    const endMs = starts[at + 1] ?? range.endMs;
    const [before, first, last, next] = [
      clock(startMs - 1),
      clock(startMs),
      clock(endMs - 1),
      clock(endMs),
    ];
    const isOfDay = first.day === day && last.day === day;
    if (!isOfDay && !RETURNED.includes(`${zone} ${day}`)) faults.push(`${first.time}: another day`);
    if (first.hour !== last.hour || first.offset !== last.offset) faults.push(`${first.time}: two`);
    // It is not cut where nothing changes.
    if (first.hour === before.hour && first.offset === before.offset)
      faults.push(`${first.time}: cut`);
    if (last.hour === next.hour && last.offset === next.offset) faults.push(`${last.time}: cut`);
    // The load of buses is summed by quarters of an hour.
    if (!/^GMT$|:(00|15|30|45)$/.test(first.offset)) faults.push(`${first.offset}: no quarter`);
    if (momentOf(`${day}T${first.time}`, zone) > startMs) faults.push(`${first.time}: later`);
  }
  return faults.map((fault) => `${zone} ${day} ${fault}`);
}

describe('the hours of days about a change of the clock', () => {
  const zones = Intl.supportedValuesOf('timeZone');

  it('are those that the platform shows, in all of its zones', { timeout: 300_000 }, () => {
    const faults: string[] = [];
    let changes = 0;
    for (const zone of zones) {
      const clock = clockOf(zone);
      for (const ms of changesOf(clock)) {
        changes += 1;
        const days = [-1, 0, 1].map((days) => addDays(dayOf(ms, zone), days));
        for (const day of days) faults.push(...faultsOf(zone, day, clock));
      }
    }
    expect(zones.length).toBeGreaterThan(400);
    expect(changes).toBeGreaterThan(5000);
    expect(faults).toEqual([]);
  });
});
