import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dayOf, formatMoment } from '@ridewatch/contract/day';
import { UnitRecord } from '@ridewatch/contract/unit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RecordingError, readColumns } from './columns.ts';
import { readReplayFlags } from './flags.ts';
import { readTime, shiftTo } from './recording-time.ts';
import { readUnits } from './replay.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-replay-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, ...rows: string[]): Promise<string> {
  const place = path.join(folder, name);
  await writeFile(place, `${rows.join('\n')}\n`);
  return place;
}

const usual = { zone: 'Europe/Zurich', columns: {}, shiftTo: undefined };

describe('a recording', () => {
  it('becomes the records of each vehicle in order of time, those who get off first', async () => {
    const positions = await file(
      'p.csv',
      'vehicle,tst_utc,lat,lon,speed_mps,heading',
      '7,2026-03-01T06:00:01Z,60.1,24.9,10,90',
    );
    const counts = await file(
      'c.csv',
      'vehicle,tst_utc,door,entered,exited',
      '7,2026-03-01T06:00:00Z,2,3,1',
      '8,2026-03-01 06:00:00,1,0,0',
    );
    const units = await readUnits({ ...usual, positions: [positions], counts: [counts] });
    expect(units.map(({ vehicle }) => vehicle)).toEqual(['7', '8']);
    const records = units[0]?.tracks.map((track) => track.records);
    expect(records).toEqual([
      [
        {
          type: 'position',
          seq: 1,
          time: '2026-03-01T06:00:01.000Z',
          fix: true,
          latitude: 60.1,
          longitude: 24.9,
          speed_kmh: 36,
          course: 90,
        },
      ],
      [
        {
          type: 'passenger',
          seq: 1,
          time: '2026-03-01T06:00:00.000Z',
          door: 2,
          direction: 'exited',
          passenger: 'adult',
          count: 1,
        },
        {
          type: 'passenger',
          seq: 2,
          time: '2026-03-01T06:00:00.000Z',
          door: 2,
          direction: 'entered',
          passenger: 'adult',
          count: 3,
        },
      ],
    ]);
  });

  it('keeps every person of a count that one record cannot hold', async () => {
    const counts = await file('many.csv', 'bus,time,in,out', 'A,2026-03-01T06:00:00+01:00,600,0');
    const [unit] = await readUnits({ ...usual, positions: [], counts: [counts] });
    const events = unit?.tracks[0]?.records ?? [];
    expect(events.map((event) => (event.type === 'passenger' ? event.count : 0))).toEqual([
      255, 255, 90,
    ]);
    for (const event of events) expect(() => UnitRecord.parse(event)).not.toThrow();
  });

  it('has the same streams when it is read again, also with other positions beside it', async () => {
    const counts = await file(
      'again.csv',
      'bus,time,in,out,lat,lon',
      'A,2026-03-01T06:00:00Z,1,0,46,6',
    );
    const one = await readUnits({ ...usual, positions: [], counts: [counts] });
    const other = await readUnits({ ...usual, positions: [counts], counts: [counts] });
    expect(other[0]?.tracks[1]).toEqual(one[0]?.tracks[0]);
  });

  it('may name its columns', async () => {
    const counts = await file('own.csv', 'wagen;x,wann,rein,raus', 'A,2026-03-01T06:00:00Z,1,2');
    const columns = readColumns('vehicle=wagen;x,time=wann,entered=rein,exited=raus');
    const [unit] = await readUnits({ ...usual, columns, positions: [], counts: [counts] });
    expect(unit?.tracks[0]?.records).toHaveLength(2);
    expect(() => readColumns('when=a')).toThrow("'when=a' is not MEANING=COLUMN");
  });

  it.each([
    [
      'vehicle,time,entered,exited\nA,2026-03-01T06:00:00Z,-1,0',
      "line 2: entered '-1' is not a whole number",
    ],
    ['vehicle,time,entered,exited\nA,yesterday,1,0', "line 2: time 'yesterday' is not a time"],
    ['vehicle,time,entered,exited\nA,2026-02-30T06:00:00Z,1,0', 'is not a time'],
    ['vehicle,time,entered\nA,2026-03-01T06:00:00Z,1', 'no column for exited'],
    ['vehicle,time,entered,exited\nA,2026-03-01T06:00:00Z,1', 'Invalid Record Length'],
    ['vehicle,time,entered,exited', 'The recording is empty'],
  ])('that cannot be read is refused with a sentence: %j', async (text, sentence) => {
    const counts = await file('bad.csv', text);
    const reading = readUnits({ ...usual, positions: [], counts: [counts] });
    await expect(reading).rejects.toThrow(RecordingError);
    await expect(reading).rejects.toThrow(sentence);
  });
});

describe('the route of a recording', () => {
  const read = (...more: readonly string[]) =>
    readReplayFlags(['--url', 'http://x', '--positions', 'p.csv', '--password', 'p', ...more]);

  it('is a file, with a name and a choice if wanted, or none', () => {
    expect(read().route).toBeUndefined();
    expect(read('--route', 'a.gpx').route).toEqual({ file: 'a.gpx' });
    const named = read('--route', 'feed.zip', '--route-name', '7', '--route-choice', 'r5');
    expect(named.route).toEqual({ file: 'feed.zip', name: '7', choice: 'r5' });
  });

  it('is named only where there is one', () => {
    for (const flag of ['--route-name', '--route-choice']) {
      expect(() => read(flag, '7')).toThrow('--route-name and --route-choice need --route');
    }
  });
});

describe('times of a recording', () => {
  it('are local where they name no zone, through both nights of the shifted clock', () => {
    const read = (text: string): string =>
      new Date(readTime(text, 'arrival_local', 'Europe/Zurich')).toISOString();
    expect(read('2012-10-01 06:04:42')).toBe('2012-10-01T04:04:42.000Z');
    expect(read('2026-03-29 01:59:59.5')).toBe('2026-03-29T00:59:59.500Z');
    expect(read('2026-03-29 03:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(read('2026-10-25 02:30:00')).toBe('2026-10-25T00:30:00.000Z');
    expect(read('2026-10-25 03:00:00')).toBe('2026-10-25T02:00:00.000Z');
  });

  it('can be moved to another day and stay at their hour', () => {
    const ms = Date.parse('2012-10-06T04:04:42Z');
    const moved = shiftTo(ms, 'Europe/Zurich', '2012-10-01', '2026-11-16');
    expect(formatMoment(moved, 'Europe/Zurich', 'YYYY-MM-DD HH:mm:ss')).toBe('2026-11-21 06:04:42');
  });
});

const samples = path.resolve(import.meta.dirname, '../../../../shared/data/counts');

describe(`the samples of ${samples}`, () => {
  beforeEach(({ skip }) => skip(!existsSync(samples), `${samples} is not there`));

  it('of Geneva give the sums of every route, day and local hour', async () => {
    const counts = path.join(samples, 'geneva_2012_lines_31_41.csv');
    const units = await readUnits({ ...usual, positions: [], counts: [counts] });
    const sums = new Map<string, { entered: number; exited: number }>();
    for (const { vehicle, tracks } of units) {
      for (const record of tracks.flatMap((track) => track.records)) {
        if (record.type !== 'passenger') throw new Error('not a count');
        const ms = Date.parse(record.time);
        const hour = formatMoment(ms, usual.zone, 'H');
        const key = [dayOf(ms, usual.zone), vehicle, hour].join();
        const sum = sums.get(key) ?? { entered: 0, exited: 0 };
        sum[record.direction] += record.count;
        sums.set(key, sum);
      }
    }
    const expected = await readFile(
      path.join(samples, 'geneva_2012_totals_by_route_day_hour.csv'),
      'utf8',
    );
    const rows = expected.trim().split('\n').slice(1);
    for (const row of rows) {
      const [day, route, hour, entered, exited] = row.trim().split(',');
      const sum = sums.get([day, route, hour].join()) ?? { entered: 0, exited: 0 };
      expect([row, sum.entered, sum.exited]).toEqual([row, Number(entered), Number(exited)]);
    }
    expect(rows.length).toBeGreaterThan(100);
  });

  it('of Helsinki give two buses with positions and every person of the file', async () => {
    const units = await readUnits({
      ...usual,
      zone: 'Europe/Helsinki',
      positions: [path.join(samples, 'hsl/pings.csv')],
      counts: [path.join(samples, 'hsl/apc_in.csv')],
    });
    const people = units
      .flatMap(({ tracks }) => tracks.flatMap(({ records }) => records))
      .reduce((sum, record) => sum + (record.type === 'passenger' ? record.count : 0), 0);
    expect(units).toHaveLength(2);
    expect(people).toBe(13);
  });
});
