import { describe, expect, it } from 'vitest';
import { feedTables, feedZip } from '../../test/zip.ts';
import { translate } from './messages.ts';
import { readRouteFile } from './read.ts';

const read = async (tables: Record<string, string>, choice: string | null = null, folder = '') => {
  const route = await readRouteFile(feedZip(tables, folder), choice);
  return { ...route, notes: route.notes.map((note) => translate(note, 'en')) };
};
const stopsOf = ({ stops }: Awaited<ReturnType<typeof read>>) =>
  stops.map(({ name, routeDirection }) => `${name} ${routeDirection[0]}`);
const without = (table: string) =>
  Object.fromEntries(Object.entries(feedTables()).filter(([name]) => name !== table));

/** Line 7 with ways that end far from each other; each has a trip more than the next. */
function manyWays(there: number, back: number): Record<string, string> {
  const ways = [there, back].flatMap((count, direction) =>
    Array.from({ length: count }, (_, n) => ({ direction, n, trips: 30 - n })),
  );
  const stops = ways.flatMap(({ direction, n }) =>
    ['a', 'b'].map((end, at) => `${direction}${n}${end},Стоп,${50 + n},${30 + 2 * direction + at}`),
  );
  const trips = ways.flatMap(({ direction, n, trips: count }) =>
    Array.from({ length: count }, (_, k) => ({ id: `${direction}-${n}-${k}`, direction, n })),
  );
  return {
    routes: feedTables().routes ?? '',
    stops: ['stop_id,stop_name,stop_lat,stop_lon', ...stops].join('\n'),
    trips: [
      'route_id,trip_id,direction_id',
      ...trips.map(({ id, direction }) => `R7,${id},${direction}`),
    ].join('\n'),
    stop_times: [
      'trip_id,stop_id,stop_sequence',
      ...trips.flatMap(({ id, direction, n }) =>
        ['a', 'b'].map((end, at) => `${id},${direction}${n}${end},${at}`),
      ),
    ].join('\n'),
  };
}

describe('a GTFS feed', () => {
  it('gives the ways of its routes to choose from, all patterns first', async () => {
    const { choices } = await read(feedTables());
    expect(choices).toEqual([
      {
        id: '0.0.0+0.1.0,0.0.1',
        name: 'Вокзал ⇄ Рынок (×2 + ×1); Вокзал → Школа, 3 (×1)',
        stops: 8,
        points: 8,
      },
      {
        id: '0.0.0+0.1.0',
        name: 'Вокзал ⇄ Рынок (×2 + ×1)',
        stops: 6,
        points: 5,
      },
      { id: '0.0.0', name: 'Вокзал → Рынок (×2)', stops: 3, points: 3 },
      { id: '0.0.1', name: 'Вокзал → Школа, 3 (×1)', stops: 2, points: 3 },
      { id: '0.1.0', name: 'Рынок → Вокзал (×1)', stops: 3, points: 2 },
    ]);
  });

  it('names the route in its choices only if it has several routes, and no name or end twice', async () => {
    const tables = feedTables();
    tables.routes += 'R8,8,Линия 8: Парк,3\n';
    tables.trips += 'R8,S,t5,0,S0\n';
    tables.stop_times += '\nt5,,,A,1\nt5,,,C,2\n';
    const names = (await read(tables)).choices.map(({ name }) => name);
    expect(names[1]).toBe('7: Вокзал ⇄ Рынок (×2 + ×1)');
    expect(names.filter((name) => name.startsWith('7: '))).toHaveLength(5);
    expect(names.at(-1)).toBe('Линия 8: Парк: Вокзал → Рынок (×1)');
  });

  it('of a country with thousands of routes lists each by its commonest way there and back', async () => {
    const count = 26_000;
    const routes = Array.from({ length: count }, (_, n) => n);
    const trips = routes.flatMap((n) => [`${n},${n}a,0`, `${n},${n}b,1`]);
    const calls = routes.flatMap((n) => [`${n}a,A,1`, `${n}a,C,2`, `${n}b,C,1`, `${n}b,A,2`]);
    const tables = {
      routes: ['route_id,route_short_name', ...routes.map((n) => `${n},${n}`)].join('\n'),
      trips: ['route_id,trip_id,direction_id', ...trips].join('\n'),
      stops: feedTables().stops ?? '',
      stop_times: ['trip_id,stop_id,stop_sequence', ...calls].join('\n'),
    };
    const { choices, ways } = await read(tables);
    expect([choices.length, choices.at(-1)?.id]).toEqual([
      count,
      `${count - 1}.0.0+${count - 1}.1.0`,
    ]);
    expect(ways).toEqual([]);
    const chosen = await read(tables, `${count - 1}.1.0`);
    expect([stopsOf(chosen), chosen.ways.at(-1)?.id]).toEqual([
      ['Рынок F', 'Вокзал F'],
      `${count - 1}.1.0`,
    ]);
  });

  it('of one route needs no choice: it is taken with all its patterns, and how often they run', async () => {
    const route = await read(feedTables());
    expect([route.choice, route.name]).toEqual(['0.0.0+0.1.0,0.0.1', '7 Вокзал - Рынок']);
    expect(route.further.patterns.map(({ name, runs }) => [name, runs])).toEqual([
      ['Вокзал – Школа, 3', 1],
    ]);
    expect(stopsOf(route)).toEqual([
      'Вокзал F',
      'Школа, 3 F',
      'Рынок F',
      'Рынок R',
      'Школа, 3 R',
      'Вокзал R',
    ]);
    expect(route.track.map(({ longitude }) => longitude)).toEqual([
      37.6, 37.62, 37.64, 37.64, 37.6,
    ]);
  });

  it('gives the chosen way, and any two of a route there and back', async () => {
    expect(stopsOf(await read(feedTables(), '0.0.1'))).toEqual(['Вокзал F', 'Школа, 3 F']);
    expect(stopsOf(await read(feedTables(), '0.0.1+0.1.0'))).toHaveLength(5);
  });

  it('names its ways, of which any become patterns of a route', async () => {
    const tables = feedTables();
    tables.trips += 'R7,S,t5,1,S1\n';
    tables.stop_times += '\nt5,,,B,1\nt5,,,A,2\n';
    const { ways, choices } = await read(tables);
    expect(ways.map(({ id, direction, name, trips }) => [id, direction, name, trips])).toEqual([
      ['0.0.0', 'FORWARD', 'Вокзал → Рынок', 2],
      ['0.0.1', 'FORWARD', 'Вокзал → Школа, 3', 1],
      ['0.1.0', 'REVERSE', 'Рынок → Вокзал', 1],
      ['0.1.1', 'REVERSE', 'Школа, 3 → Вокзал', 1],
    ]);
    // A short way goes with the way back from its end.
    expect(choices[0]?.id).toBe('0.0.0+0.1.0,0.0.1+0.1.1');
    const { stops, further } = await read(tables, '0.0.1+0.1.1,0.0.0+0.1.0');
    expect(stops.map(({ name }) => name)).toEqual(['Вокзал', 'Школа, 3', 'Школа, 3', 'Вокзал']);
    expect(further.stops.map(({ name, routeDirection }) => [name, routeDirection])).toEqual([
      ['Рынок', 'FORWARD'],
      ['Рынок', 'REVERSE'],
    ]);
    expect(further.patterns).toEqual([
      { name: 'Вокзал – Рынок', stops: [0, 1, 4, 5, 2, 3], track: expect.any(Array), runs: 1 },
    ]);
  });

  it('pairs ways of the same ends by the stops that they have in common', async () => {
    const tables = feedTables();
    tables.stops += 'N,Север,55.76,37.62\nM,Север,55.7601,37.6201\n';
    tables.trips = [
      'route_id,trip_id,direction_id',
      ...['a,0', 'b,0', 'c,0', 'd,1', 'e,1', 'f,1'].map((one) => `R7,${one}`),
    ].join('\n');
    const ways = { a: 'ABC', b: 'ABC', c: 'ANC', d: 'CBA', e: 'CBA', f: 'CMA' };
    tables.stop_times = [
      'trip_id,stop_id,stop_sequence',
      ...Object.entries(ways).flatMap(([trip, stops]) =>
        [...stops].map((stop, n) => `${trip},${stop},${n}`),
      ),
    ].join('\n');
    const all = '0.0.0+0.1.0,0.0.1+0.1.1';
    expect((await read(tables)).choices[0]?.id).toBe(all);
    // The commonest way back begins far from the end of the commonest way there.
    tables.stops += 'D,Депо,55.9,37.9\n';
    tables.stop_times = tables.stop_times.replaceAll(/([de],)C(,0)/g, '$1D$2');
    expect((await read(tables)).choices[1]?.id).toBe('0.0.0+0.1.1');
  });

  it('takes two ways of one direction as a pattern only with a note', async () => {
    const note =
      '“Вокзал → Рынок (×2)” and “Вокзал → Школа, 3 (×1)” lead the same way: are they there and back?';
    expect((await read(feedTables(), '0.0.0+0.0.1')).notes).toEqual([note]);
    expect((await read(feedTables(), '0.0.0+0.1.0')).notes).toEqual([]);
    const tables = feedTables();
    tables.trips = 'trip_id,route_id\nt1,R7\nt2,R7\nt3,R7\nt4,R7\n';
    expect((await read(tables, '0.0.0+0.0.1')).notes).toHaveLength(1);
    expect((await read(tables, '0.0.0+0.0.2')).notes).toEqual([]);
  });

  it('keeps the direction of a way without a way back, so that it shares the stops of the default', async () => {
    const tables = feedTables();
    tables.stops += 'D,Депо,55.9,37.9\n';
    tables.trips += 'R7,S,t5,1,S1\n';
    tables.stop_times += '\nt5,,,D,1\nt5,,,B,2\nt5,,,A,3\n';
    const { further } = await read(tables, '0.0.0+0.1.0,0.1.1');
    expect(further.stops.map(({ name, routeDirection }) => [name, routeDirection])).toEqual([
      ['Депо', 'REVERSE'],
    ]);
    expect(further.patterns.map(({ stops }) => stops)).toEqual([[6, 4, 5]]);
    // There is what the default goes there.
    const { further: other } = await read(tables, '0.1.0+0.0.0,0.1.1,0.0.1');
    expect(other.patterns.map(({ stops }) => stops)).toEqual([
      [6, 1, 2],
      [3, 4],
    ]);
  });

  it('is taken with its commonest pattern where all have more stops than a route may have', async () => {
    const tables = feedTables();
    const names = Array.from({ length: 1001 }, (_, n) => `S${n}`);
    tables.stops += names.map((id) => `${id},${id},55.7,37.7\n`).join('');
    tables.trips += 'R7,S,t5,0,S1\n';
    tables.stop_times += names.map((id, n) => `\nt5,,,${id},${n}`).join('');
    const route = await read(tables);
    expect([route.choice, route.further.patterns]).toEqual(['0.0.0+0.1.0', []]);
  });

  it('gives one way alone as the way there', async () => {
    expect(stopsOf(await read(feedTables(), '0.1.0'))).toEqual([
      'Рынок F',
      'Школа, 3 F',
      'Вокзал F',
    ]);
  });

  it('gives as many ways of a direction as a route may have patterns, and says how many it leaves out', async () => {
    const { ways, notes } = await read(manyWays(22, 0));
    expect(ways).toHaveLength(20);
    expect(notes).toEqual(['Left out: 2 rare variants of routes.']);
  });

  it('takes of all patterns the commonest that a route may have, and says how many it leaves out', async () => {
    const tables = manyWays(15, 14);
    const first = await read(tables);
    const all = first.choices.find(({ id }) => id.includes(','))?.id ?? '';
    expect(all.split(',')).toHaveLength(20);
    expect(all.split(',')[0]).toBe('0.0.0+0.1.0');
    // The 21 commonest of 29 ways: two of the default, 19 others.
    expect(all).toContain('0.0.10');
    expect(all).toContain('0.1.9');
    expect(all).not.toContain('0.0.11');
    expect((await read(tables, '0.0.0+0.1.0')).notes).toEqual([]);
    const { further, notes } = await read(tables, all);
    expect(further.patterns).toHaveLength(19);
    expect(notes).toEqual(['Left out: 8 rare patterns; a route has at most 20.']);
    // A user who takes others himself knows which.
    expect((await read(tables, all.split(',').slice(0, 19).join())).notes).toEqual([]);
  });

  it.each(['9', '0.0.0+', '0.0.0+0.0.1+0.1.0', '0.0.0,', '0.0.0,0.0.0', '__proto__'])(
    'has no choice %s',
    async (choice) => {
      await expect(read(feedTables(), choice)).rejects.toMatchObject({ field: 'choice' });
    },
  );

  it('of several routes asks which', async () => {
    const tables = feedTables();
    tables.routes += 'R8,8,,3\n';
    tables.trips += 'R8,S,u1,,\n';
    tables.stop_times += '\nu1,,,A,1\nu1,,,C,2\n';
    const route = await read(tables);
    expect([route.choice, route.track, route.stops]).toEqual([null, [], []]);
    expect(route.choices.at(-1)?.name).toBe('8: Вокзал → Рынок (×1)');
    expect(stopsOf(await read(tables, '1.0.0'))).toEqual(['Вокзал F', 'Рынок F']);
  });

  it('without directions finds the way back by where it ends', async () => {
    const tables = feedTables();
    tables.trips = 'trip_id,route_id\nt1,R7\nt2,R7\nt3,R7\nt4,R7\n';
    expect(stopsOf(await read(tables)).filter((stop) => stop.endsWith('R'))).toHaveLength(3);
  });

  it('is read from a folder, with byte order marks, spaces in its titles and other tables beside', async () => {
    const tables = feedTables();
    tables.stops = `\uFEFF${tables.stops?.replace('stop_id,stop_name', 'stop_id, stop_name')}`;
    const odd = { ...tables, agency: 'x', '../../../etc/passwd': 'root' };
    expect(stopsOf(await read(odd, null, 'feed 2026/'))).toHaveLength(6);
  });

  it('without shapes has no line, without some places leaves those stops out', async () => {
    expect((await read(without('shapes'))).track).toEqual([]);
    const tables = feedTables();
    tables.stops = tables.stops?.replace('"Школа, 3",55.75,37.62', 'Школа,,') ?? '';
    const route = await read(tables);
    expect(stopsOf(route)).toHaveLength(4);
    expect(route.notes[0]).toMatch(/^Left out: \d+ stops without coordinates\.$/);
  });

  it('takes the place of the station for a platform that has none', async () => {
    const tables = feedTables();
    tables.stops =
      'stop_id,stop_name,stop_lat,stop_lon,parent_station\nA,,,,P\nP,Узел,55.75,37.6,\nB,Школа,55.75,37.62,\nC,Рынок,55.75,37.64,\n';
    expect((await read(tables)).stops[0]).toMatchObject({ name: null, longitude: 37.6 });
  });

  it.each([
    ['trips', 'no trips.txt'],
    ['stop_times', 'no stop_times.txt'],
  ])('without %s is refused', async (table, reason) => {
    await expect(read(without(table))).rejects.toThrow(reason);
  });

  it.each([
    ['routes', '', 'no routes'],
    ['trips', 'route_id\nR7\n', 'no column trip_id'],
    ['stop_times', 'trip_id,stop_id,stop_sequence\n', 'No trip'],
    ['stops', 'stop_id,stop_lat,stop_lon\n', 'stops with coordinates'],
  ])('with nothing of use in %s is refused', async (table, text, reason) => {
    await expect(read({ ...feedTables(), [table]: text })).rejects.toThrow(reason);
  });
});
