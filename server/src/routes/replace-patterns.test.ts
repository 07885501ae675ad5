import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { listPatternsOn } from './patterns.ts';
import { replacePatterns } from './replace-patterns.ts';

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
      wanted.map(([name, stops]) => ({ name, stops, track: [] })),
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
