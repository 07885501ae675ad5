import { describe, expect, it } from 'vitest';
import { feedZip } from '../../test/zip.ts';
import { translate } from './messages.ts';
import { readRouteFile } from './read.ts';

const read = (rows: readonly string[], turnAt: number | null = null) =>
  readFile(Buffer.from(['name,lat,lon', ...rows].join('\n')), turnAt);
const readFile = async (file: Buffer, turnAt: number | null, choice: string | null = null) => {
  const route = await readRouteFile(file, choice, turnAt);
  return {
    turn: route.turn,
    notes: route.notes.map((note) => translate(note, 'en')),
    stops: route.stops.map(({ name, routeDirection }) => `${name} ${routeDirection[0]}`),
  };
};
/** There and back along two streets; the far terminal is listed once. */
const loop = [
  'Вокзал,55.75,37.60',
  'Рынок,55.751,37.62',
  'Школа,55.751,37.64',
  'Парк,55.75,37.66',
  'Завод,55.749,37.64',
  'Больница,55.749,37.62',
  'Вокзал,55.75,37.601',
];
const note =
  'All stops became forward, as of a circular route. If buses turn back at “Парк” or another stop, turn the route there.';

describe('a loop whose far terminal is listed once', () => {
  it('is all forward, says so, and suggests the farthest stop for the turn', async () => {
    const { turn, notes, stops } = await read(loop);
    expect(stops.every((stop) => stop.endsWith(' F'))).toBe(true);
    expect(turn).toMatchObject({ suggested: 3, chosen: null });
    expect(turn?.stops).toHaveLength(7);
    expect(notes).toContain(note);
  });

  it('has both directions when it is turned: the far terminal is a stop of both', async () => {
    const { turn, notes, stops } = await read(loop, 3);
    expect(stops).toEqual([
      ...['Вокзал F', 'Рынок F', 'Школа F', 'Парк F'],
      ...['Парк R', 'Завод R', 'Больница R', 'Вокзал R'],
    ]);
    expect(turn).toMatchObject({ suggested: 3, chosen: 3 });
    expect(notes).toContain('The reverse direction begins at the second Парк.');
    expect(notes).not.toContain(note);
  });

  it('of two terminals, listed there and back, turns at the other one', async () => {
    const rows = ['A,55.75,37.60', 'B,55.75,37.66', 'A,55.75,37.60'];
    expect((await read(rows)).turn).toMatchObject({ suggested: 1, chosen: null });
    expect((await read(rows, 1)).stops).toEqual(['A F', 'B F', 'B R', 'A R']);
  });

  it('may list the near terminal once, too: the names come back', async () => {
    const rows = [...loop.slice(0, 4), 'Школа,55.751,37.64', 'Рынок,55.751,37.62'];
    const { turn, notes } = await read(rows);
    expect(turn).toMatchObject({ suggested: 3, chosen: null });
    expect(notes).toContain(note);
    expect((await read(rows, 3)).stops.slice(3)).toEqual([
      'Парк F',
      'Парк R',
      'Школа R',
      'Рынок R',
    ]);
  });

  it.each([0, 6, 7, 999])('cannot be turned at its terminal, or at no stop: %i', async (at) => {
    await expect(read(loop, at)).rejects.toMatchObject({ field: 'turn' });
  });
});

/** A feed whose only trip calls at the stops of a table; `others` is one more trip, by indexes of its stops. */
const feedOf = (rows: readonly string[], others: readonly number[] = []) => {
  const trips = [rows.map((_, index) => index), others].filter((trip) => trip.length > 0);
  return feedZip({
    routes: 'route_id,route_short_name\nR,7\n',
    trips: `route_id,trip_id\n${trips.map((_, n) => `R,t${n}`).join('\n')}\n`,
    stops: `stop_id,stop_name,stop_lat,stop_lon\n${rows.map((row, n) => `s${n},${row}`).join('\n')}\n`,
    stop_times: `trip_id,stop_id,stop_sequence\n${trips
      .flatMap((trip, n) => trip.map((stop, at) => `t${n},s${stop},${at}`))
      .join('\n')}\n`,
  });
};

describe('a loop of a GTFS feed', () => {
  it('is read, and turned, like a table of its stops', async () => {
    expect(await readFile(feedOf(loop), null)).toEqual(await read(loop));
    expect(await readFile(feedOf(loop), 3)).toEqual(await read(loop, 3));
    expect((await readFile(feedOf(loop), 3)).stops).toContain('Парк R');
    await expect(readFile(feedOf(loop), 6)).rejects.toMatchObject({ field: 'turn' });
  });

  it('is not turned beside further patterns, which share its stops', async () => {
    const feed = feedOf(loop, [0, 1, 2]);
    expect(await readFile(feed, null, '0.0.0')).toMatchObject({ turn: { suggested: 3 } });
    const both = await readFile(feed, null, '0.0.0,0.0.1');
    expect(both.turn).toBeNull();
    expect(both.stops).toHaveLength(7);
  });

  it('has no turn where the feed has a way back', async () => {
    const feed = feedOf(loop, [6, 5, 0]);
    expect(await readFile(feed, null, '0.0.0+0.0.1')).toMatchObject({ turn: null, notes: [] });
  });
});

describe('no turn is offered', () => {
  it('of a line that does not come back', async () => {
    expect(await read(loop.slice(0, 4))).toMatchObject({ turn: null });
  });

  it('where all stops are at one place', async () => {
    const rows = ['A', 'B', 'C', 'D', 'E'].map((name) => `${name},55.75,37.6`);
    const { turn, notes } = await read(rows);
    expect(turn).toBeNull();
    expect(notes.join()).not.toContain('turn');
  });
});

describe('a loop with a stop that is listed twice in a row', () => {
  const backOf = (stops: readonly string[]) => stops.filter((stop) => stop.endsWith(' R'));

  it('turns there', async () => {
    const twice = [
      ...['A,55.75,37.6', 'B,55.75,37.62', 'C,55.75,37.64'],
      ...['C,55.75,37.64', 'B,55.75,37.62', 'A,55.75,37.6'],
    ];
    const { turn, stops, notes } = await read(twice);
    expect(turn).toMatchObject({ suggested: 2, chosen: 2, told: 2 });
    expect(backOf(stops)).toEqual(['C R', 'B R', 'A R']);
    expect(notes).toEqual(['The reverse direction begins at the second C.']);
  });

  it('can be turned at the farthest stop, or at another one, if it lists another stop twice', async () => {
    const rows = [
      ...['A,55.75,37.6', 'B,55.75,37.62', 'C,55.75,37.64', 'C,55.75,37.641', 'D,55.75,37.66'],
      ...['B,55.751,37.62', 'A,55.751,37.6'],
    ];
    const { turn, stops, notes } = await read(rows);
    expect(turn).toMatchObject({ suggested: 4, chosen: 2, told: 2 });
    expect(backOf(stops)).toEqual(['C R', 'D R', 'B R', 'A R']);
    expect(notes).toContain(
      'The route turns at “C”, which is listed twice. The farthest stop is “D”: if buses turn back there, turn the route there.',
    );
    const turned = await read(rows, 4);
    expect(turned.turn).toMatchObject({ suggested: 4, chosen: 4, told: 2 });
    expect(backOf(turned.stops)).toEqual(['D R', 'B R', 'A R']);
    expect(await read(rows, 2)).toEqual(await read(rows));
  });
});
