// Each call that a key may make, by a key of a customer and by one of an integrator: it answers what a user of theirs is
// answered, about the days of a bus that passed to another customer, too, and knows nothing of what others look after.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { addressesOf, type ParameterValues } from '../test/addresses-of.ts';
import { insertTestClient, insertTestUser, type TestBus } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertTestMerge } from '../test/merge.ts';
import { FIRST_DAY, LAST_DAY, type MovedBus, makeMovedBus, secrets } from '../test/moved-bus.ts';
import { readXlsx } from '../test/read-xlsx.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

type Side = 'first' | 'second';
const sides: Side[] = ['first', 'second'];
/** Users of both customers, and of an integrator of each; their keys have no more rights than they. */
const viewers = [
  ['first', 'first'],
  ['second', 'second'],
  ['integrator of the first', 'first'],
  ['integrator of the second', 'second'],
] as const;
type Login = (typeof viewers)[number][0];

let server: TestServer;
let world: MovedBus;
const clients = {} as Record<Login, number>;
const tokens = {} as Record<Login, string>;
/** Objects that only one side ever had: the bus that stayed, its fragment, its merged video. */
const own = {} as Record<Side, { bus: TestBus; segment: number; merge: number; place: number }>;
/** Stored fragments of the bus that passed on, on the first customer's last day and on the second one's first. */
let moved: number[];

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  world = await makeMovedBus(server);
  await world.goOn();
  const { db } = server.deps.database;
  const { fleet } = world;
  const integrators = { first: await insertTestClient(db, 'Соперник'), second: fleet.integrator };
  const pair = { integrator_id: integrators.first, client_id: fleet.first };
  await db.insertInto('integrator_clients').values(pair).execute();
  // A key has no edit right.
  await sql`update users set role = 'CUSTOMER' where login in ('first', 'second')`.execute(db);
  for (const side of sides) {
    const ofIntegrator = `integrator of the ${side}` as const;
    await insertTestUser(db, ofIntegrator, 'OPERATOR', integrators[side]);
    clients[side] = fleet[side];
    clients[ofIntegrator] = integrators[side];
    const bus = fleet[`${side}Bus`];
    const startMs = server.clock.nowMs() - 3_600_000;
    const place = await db
      .selectFrom('stop_classifiers')
      .select('id')
      .where('client_id', '=', fleet[side])
      .executeTakeFirstOrThrow();
    own[side] = {
      ...{ bus, place: place.id, segment: await store(bus, startMs) },
      merge: await insertTestMerge(db, bus, fleet[side], { status: 'COMPLETE' }),
    };
    await sql`update merge_requests set (storage_key, size_bytes, sha256) = (
        select storage_key, size_bytes, sha256 from segment_files
        where segment_id = ${own[side].segment} and variant = 'source')
      where id = ${own[side].merge}`.execute(db);
  }
  moved = [
    await store(world.bus, Date.parse(`${LAST_DAY}T05:00:00Z`)),
    await store(world.bus, Date.parse(`${FIRST_DAY}T05:00:00Z`)),
  ];
  for (const [login] of viewers) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

const store = (bus: TestBus, startMs: number) =>
  insertStoredFragment(server, bus, { startMs, lengthMs: 20_000, video: Buffer.from('video') });

/** A signed address alone opens these, whatever is sent with it: serving.test.ts, hls.test.ts and api-keys.test.ts. */
const SIGNED = /^\/api\/(video_feed2?|segments\/preview)\//;
/** Calls that name no object; each answers about all that the viewer looks after. */
const WITHOUT_OBJECT = ['/api/bus_list', '/api/bus_list/board', '/api/concatenated-medias'];
const calls = (endpoints as readonly Endpoint[])
  .filter(({ scope, path }) => scope !== undefined && !SIGNED.test(path))
  .map((endpoint) => [endpoint.path, endpoint] as const);

const days = {
  ...{ date: [LAST_DAY, FIRST_DAY], startdate: [LAST_DAY], enddate: [FIRST_DAY] },
  ...{ from: [LAST_DAY], to: [FIRST_DAY], dateFrom: [LAST_DAY], dateTo: [FIRST_DAY] },
  ...{ groupby: ['bus'], by: ['day'], groupMinutes: ['60'], tick: ['day'], language: ['ru_RU'] },
  ...{ until: ['now'], processed: ['1'], lapId: [''] },
};

/** Ids of objects, for the parameters that name them. */
interface Named {
  readonly buses: number[];
  readonly cameras: number[];
  readonly segments: number[];
  readonly routes: number[];
  readonly clients: number[];
  readonly places: number[];
  readonly merges: number[];
}
function valuesOf(named: Named): ParameterValues {
  const texts = (what: keyof Named) => named[what].map(String);
  return {
    ...{ ...days, busId: texts('buses'), workplaceId: texts('buses') },
    ...{ workplaces: texts('buses'), workplaceIds: texts('buses'), cameraId: texts('cameras') },
    ...{ segmentId: texts('segments'), groupId: texts('routes'), clientId: texts('clients') },
    ...{ customerId: texts('clients'), clientIds: texts('clients'), requestId: texts('merges') },
    busStopClassifierId: texts('places'),
  };
}
const ofSide = (side: Side): Named => {
  const { bus, segment, merge, place } = own[side];
  return {
    ...{ buses: [bus.busId], cameras: [bus.cameras.door1], segments: [segment] },
    ...{ routes: [bus.routeId], clients: [world.fleet[side]], places: [place], merges: [merge] },
  };
};
const MISSING = [999_999];
const nothing: Named = {
  ...{ buses: MISSING, cameras: MISSING, segments: MISSING, routes: MISSING, clients: MISSING },
  ...{ places: MISSING, merges: MISSING },
};

const keyFor = async (login: Login) =>
  (await insertTestKey(server.deps.database.db, clients[login], { nowMs: server.clock.nowMs() }))
    .secret;

/** An answer, but for its own id and for signed addresses, which name who asked. */
async function read(token: string, url: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ url, headers });
  const isSheet = `${answer.headers['content-type']}`.includes('spreadsheet');
  const body = isSheet ? JSON.stringify(await readXlsx(answer.rawPayload)) : answer.body;
  const said = body.replace(/hash=[\w-]+/g, 'hash=').replace(/"requestId":"[^"]*"/, '');
  return { url, status: answer.statusCode, said };
}

describe.each(viewers)('a key of the %s', (login, side) => {
  const other = side === 'first' ? 'second' : 'first';

  it.each(calls)('is answered by %s as a user is', async (_, endpoint) => {
    const { bus, routes } = world;
    const mine = ofSide(side);
    const values = valuesOf({
      ...mine,
      buses: [bus.busId, ...mine.buses],
      cameras: [bus.cameras.door1, ...mine.cameras],
      segments: [...moved, ...mine.segments],
      routes: [routes.first, routes.second],
    });
    const key = await keyFor(login);
    // A spreadsheet takes long: one of all buses.
    const addresses = addressesOf(endpoint, { ...values, workplaceIds: [''] });
    const statuses: number[] = [];
    for (const url of addresses) {
      const answer = await read(key, url);
      expect(answer).toEqual(await read(tokens[login], url));
      statuses.push(answer.status);
    }
    expect(statuses).toContain(200);
  });

  it.each(calls.filter(([path]) => !WITHOUT_OBJECT.includes(path)))(
    'gets from %s nothing of what another integrator looks after',
    async (_, endpoint) => {
      const key = await keyFor(login);
      const missing = addressesOf(endpoint, valuesOf(nothing));
      for (const [index, url] of addressesOf(endpoint, valuesOf(ofSide(other))).entries()) {
        const { status, said } = await read(key, missing[index] ?? '');
        expect(status).toBe(404);
        expect(await read(key, url)).toEqual({ url, status, said });
      }
    },
  );

  it('reads of the bus that passed on the days of its customer, and of the others nothing', async () => {
    const key = await keyFor(login);
    const { busId, cameras } = world.bus;
    const told = async (date: string, at: number) => {
      const ofDay = `workplaceId=${busId}&date=${date}`;
      const money = await read(key, `/api/workplaces/calculation?${ofDay}`);
      const laps = await read(key, `/api/bus-stop/laps?${ofDay}`);
      const day = await read(key, `/api/segments/day-segments?${ofDay}`);
      const track = await read(key, `/api/workplaces/gps/${busId}?date=${date}`);
      const period = `/api/period_list/${cameras.door1}?startdate=${date}&enddate=${date}`;
      const { driver, route } = secrets[date === LAST_DAY ? 'first' : 'second'];
      return {
        money: money.said.includes(driver),
        laps: laps.said.includes(route),
        people: JSON.parse(day.said).entered.adult > 0,
        track: JSON.parse(track.said).items.length > 0,
        fragment: (await read(key, period)).said.includes(`"id":${moved[at]},`),
        video: (await read(key, `/api/download/${moved[at]}?processed=1`)).status === 200,
      };
    };
    const all = { money: true, laps: true, people: true, track: true, fragment: true, video: true };
    const none = Object.fromEntries(Object.keys(all).map((what) => [what, false]));
    const isFormer = side === 'first';
    expect(await told(LAST_DAY, 0)).toEqual(isFormer ? all : none);
    expect(await told(FIRST_DAY, 1)).toEqual(isFormer ? none : all);
  });
});
