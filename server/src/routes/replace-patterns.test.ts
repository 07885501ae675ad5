import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { listPatternsOn, makeDefault } from './patterns.ts';
import { replacePatterns, replaceStops } from './replace-patterns.ts';
import { listStopsOn } from './stops.ts';

const [TODAY, NEXT_WEEK] = ['2026-03-10', '2026-03-17'];
let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;

beforeAll(async () => {
  server = await createTestServer([]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  route = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
});

/** Takes the further patterns of a file: names, and the stops by their number in the route. */
const take = (day: string, ...wanted: readonly [name: string, stops: readonly number[]][]) =>
  server.deps.database.db.transaction().execute((tx) =>
    replacePatterns(
      tx,
      route.routeId,
      day,
      route.stopIds,
      wanted.map(([name, stops]) => ({ name, stops, track: [], runs: null })),
    ),
  );

async function furtherOn(day: string) {
  const [, ...further] = await listPatternsOn(server.deps.database.db, route.routeId, day);
  return further.map(({ name, stops }) => [name, stops.map(({ id }) => route.stopIds.indexOf(id))]);
}

it('a file gives a new pattern the stops that a known one has no longer', async () => {
  await take(TODAY, ['A', [0, 1]], ['B', [0, 2]]);
  await take(TODAY, ['C', [0, 1]], ['A', [1, 2]]);
  expect(await furtherOn(TODAY)).toEqual([
    ['A', [1, 2]],
    ['C', [0, 1]],
  ]);
});

it('a file for earlier days changes the pattern that begins later under the same name', async () => {
  await take(NEXT_WEEK, ['A', [0, 1]]);
  await take(TODAY, ['A', [0, 2]]);
  expect(await furtherOn(TODAY)).toEqual([['A', [0, 2]]]);
  expect(await furtherOn(NEXT_WEEK)).toEqual([['A', [0, 1]]]);
});

it('a file has a pattern again whose name it writes with other capitals', async () => {
  await take(TODAY, ['Парк', [0, 1]]);
  const [, before] = await listPatternsOn(server.deps.database.db, route.routeId, TODAY);
  await take(TODAY, ['ПАРК', [0, 2]]);
  expect(await furtherOn(TODAY)).toEqual([['ПАРК', [0, 2]]]);
  const [, after] = await listPatternsOn(server.deps.database.db, route.routeId, TODAY);
  expect(after?.id).toBe(before?.id);
});

/** Keeps some stops of the route, and gives it one more at the end. */
async function replace(kept: readonly number[]) {
  const { db } = server.deps.database;
  const stops = await listStopsOn(db, route.routeId, TODAY);
  const added = {
    latitude: 55.75,
    longitude: 37.65,
    routeDirection: 'FORWARD',
    terminal: null,
  } as const;
  const wanted = [...kept.flatMap((n) => stops[n] ?? []), { ...added, name: 'Парк' }];
  await db.transaction().execute((tx) =>
    replaceStops(tx, { id: route.routeId, clientId: fleet.first }, TODAY, wanted, {
      entry: { language: 'ru', confirmFar: false },
    }),
  );
  const [first] = await listPatternsOn(db, route.routeId, TODAY);
  return first?.name;
}

it('other stops end the patterns that keep fewer than two of them, and name the default after its new ends', async () => {
  await take(TODAY, ['Здесь', [0, 1, 3]], ['Там', [1, 2]], ['Тот же', [0, 2, 3]]);
  expect(await replace([0, 3])).toBe('Вокзал – Парк');
  expect(await furtherOn(TODAY)).toEqual([['Здесь', [0, 3]]]);
  expect(await furtherOn('2026-03-09')).toEqual([]);
});

it('other stops end the patterns that begin later by the same rule, and name the default after its new ends then', async () => {
  await take(NEXT_WEEK, ['Здесь', [0, 1, 3]], ['Там', [1, 2]], ['Тот же', [0, 2, 3]]);
  await replace([0, 3]);
  expect(await furtherOn(TODAY)).toEqual([]);
  expect(await furtherOn(NEXT_WEEK)).toEqual([['Здесь', [0, 3]]]);
  const [first] = await listPatternsOn(server.deps.database.db, route.routeId, NEXT_WEEK);
  expect(first?.name).toBe('Вокзал – Парк');
});

it('other stops end what a pattern becomes later, and leave what it is until then', async () => {
  await take(TODAY, ['A', [0, 3]]);
  await take(NEXT_WEEK, ['A', [1, 2]]);
  await replace([0, 3]);
  expect(await furtherOn(TODAY)).toEqual([['A', [0, 3]]]);
  expect(await furtherOn(NEXT_WEEK)).toEqual([]);
});

it('other stops leave a name that a user gave to the default', async () => {
  await take(TODAY, ['Вокзал – Парк', [0, 1]]);
  const { db } = server.deps.database;
  const [first] = await listPatternsOn(db, route.routeId, TODAY);
  expect(await replace([0, 1, 3])).toBe('Вокзал – Парк (2)');
  await db
    .updateTable('route_pattern_versions')
    .set({ name: 'Полный' })
    .where('pattern_id', '=', first?.id ?? 0)
    .execute();
  expect(await replace([0, 3])).toBe('Полный');
});

it('a pattern that becomes the default is the measure of how often the others run', async () => {
  const { db } = server.deps.database;
  const further = { track: [], stops: [0, 1] };
  await db.transaction().execute((tx) =>
    replacePatterns(tx, route.routeId, TODAY, route.stopIds, [
      { ...further, name: 'rare', runs: 0.5 },
      { ...further, name: 'common', stops: [0, 2], runs: 2 },
    ]),
  );
  const runsOf = async () =>
    (await listPatternsOn(db, route.routeId, TODAY)).slice(1).map(({ name, runs }) => [name, runs]);
  expect(await runsOf()).toEqual([
    ['rare', 0.5],
    ['common', 2],
  ]);
  const [first, , common] = await listPatternsOn(db, route.routeId, TODAY);
  await db.transaction().execute((tx) =>
    makeDefault(tx, { id: route.routeId, clientId: fleet.first }, TODAY, common?.id ?? 0, {
      ...{ language: 'en', confirmFar: true },
    }),
  );
  expect(Object.fromEntries(await runsOf())).toEqual({ [first?.name ?? '']: 0.5, rare: 0.25 });
});
