// Every answer of the product about a bus that passed to another customer, and all of its parts: nothing of the days, the
// routes, the stops, the drivers and the money of one customer is in what another one reads. A call of the contract that
// this test does not know fails it.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { addressesOf, type ParameterValues } from '../test/addresses-of.ts';
import { FIRST_DAY, LAST_DAY, type MovedBus, makeMovedBus, secrets } from '../test/moved-bus.ts';
import { readXlsx } from '../test/read-xlsx.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let world: MovedBus;
beforeAll(async () => {
  // Both customers have the advanced report.
  const ADVANCED_REPORT_CLIENTS = '1,2,3,4,5,6,7,8,9';
  server = await createTestServer([...ingestFeatures, ...apiFeatures], { ADVANCED_REPORT_CLIENTS });
  world = await makeMovedBus(server);
});
afterAll(() => server.close());

/** Parts of addresses that name no bus, no route, no customer and no day, and calls that no browser's user asks. */
const OTHERS =
  /\{(version|mediaId|newsId|messageId|auditId|jobId|keyId|userId|reportId|part|requestId|classifierId)\}|^\/unit\/|\/video_feed|\/download|preview/;

type Login = 'first' | 'second' | 'integrator' | 'admin';
const customerOf = { first: 'first', second: 'second', integrator: 'second' } as const;

async function valuesFor(login: Login): Promise<ParameterValues> {
  const { db } = server.deps.database;
  const { fleet, bus, routes } = world;
  const { busId } = bus;
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => `${id}`);
  const segments = await db
    .selectFrom('segments')
    .select('id')
    .where('unit_id', '=', bus.unitId)
    .execute();
  const laps = await db.selectFrom('laps').select('id').where('workplace_id', '=', busId).execute();
  const customer = login === 'admin' ? 'first' : customerOf[login];
  const places = await db
    .selectFrom('stop_classifiers')
    .select('id')
    .where('client_id', '=', fleet[customer])
    .execute();
  const days = [LAST_DAY, FIRST_DAY];
  return {
    ...{
      busId: [`${busId}`],
      workplaceId: [`${busId}`],
      workplaces: [`${busId}`],
      workplaceIds: [''],
    },
    ...{ cameraId: Object.values(bus.cameras).map(String), unitId: [`${bus.unitId}`] },
    ...{ segmentId: idsOf(segments), lapId: ['', ...idsOf(laps)] },
    ...{ groupId: [`${routes.first}`, `${routes.second}`], groupIds: [`${routes[customer]}`] },
    ...{ id: [`${fleet.first}`, `${fleet.second}`, `${routes.first}`, `${routes.second}`] },
    ...{ customerId: [`${fleet[customer]}`], clientId: [`${fleet[customer]}`] },
    busStopClassifierId: idsOf(places),
    ...{ date: days, startdate: [LAST_DAY], enddate: [FIRST_DAY] },
    ...{ from: [LAST_DAY], to: [FIRST_DAY], dateFrom: [LAST_DAY], dateTo: [FIRST_DAY] },
    ...{ groupby: ['bus', 'route'], by: ['day', 'hour', 'weekday_hour'], groupMinutes: ['60'] },
    ...{ language: ['ru_RU'], tick: ['day'] },
  };
}

/** Lists have filters and pages, without which there is more to see. */
const isList = ({ path }: Endpoint): boolean =>
  /^\/api\/(admin|keys|segments\/review|groups\/search|attention)/.test(path);

/** The answer to a user at an address, as a text; empty when it is refused. */
async function read(login: Login, url: string): Promise<string> {
  const headers = { authorization: `Bearer ${world.tokens[login]}` };
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, url).toBeLessThan(500);
  if (answer.statusCode !== 200) return '';
  const isSheet = `${answer.headers['content-type']}`.includes('spreadsheet');
  return isSheet ? JSON.stringify(await readXlsx(answer.rawPayload)) : answer.body;
}

const asked = (endpoints as readonly Endpoint[]).filter(
  ({ method, path, access }) => method === 'GET' && access !== 'public' && !OTHERS.test(path),
);

/**
 * Spreadsheets take a third of a second each: customers ask for them once both days have data; those of a bus that both
 * have on all days only in `npm run test:long`.
 */
const isSlow = ({ path }: Endpoint): boolean => /^\/api\/stat\/.*(export|report)/.test(path);

/** The answers by user, with the words of each customer that stand in them. */
async function readAll(
  login: Login,
  isEvening: boolean,
): Promise<{ url: string; found: string[] }[]> {
  const values = await valuesFor(login);
  const answers: { url: string; found: string[] }[] = [];
  for (const endpoint of asked) {
    const isCustomer = login === 'first' || login === 'second';
    if (isSlow(endpoint) && !(isEvening && isCustomer)) continue;
    for (const url of addressesOf(endpoint, values, { isWhole: isList(endpoint) })) {
      const text = await read(login, url);
      const words = [...Object.values(secrets.first), ...Object.values(secrets.second)];
      answers.push({ url, found: words.filter((word) => text.includes(word)) });
    }
  }
  return answers;
}

const secretsOf = (whose: 'first' | 'second'): readonly string[] => Object.values(secrets[whose]);
const leaks = async (login: 'first' | 'second' | 'integrator', isEvening: boolean) => {
  const foreign = secretsOf(customerOf[login] === 'first' ? 'second' : 'first');
  const answers = await readAll(login, isEvening);
  return answers.filter(({ found }) => found.some((word) => foreign.includes(word)));
};

describe.each([
  ['at noon of the day of the move', false],
  ['in the evening of the next day', true],
])('%s', (_, isEvening) => {
  beforeAll(async () => {
    if (isEvening) await world.goOn();
  });

  it('an administrator reads the words of both in many answers, so that this test can fail', async () => {
    const answers = await readAll('admin', isEvening);
    const withWords = (whose: 'first' | 'second') =>
      answers.filter(({ found }) => found.some((word) => secretsOf(whose).includes(word))).length;
    expect(withWords('first')).toBeGreaterThan(25);
    expect(withWords('second')).toBeGreaterThan(isEvening ? 20 : 5);
  });

  it.each(['first', 'second', 'integrator'] as const)(
    '%s reads no word of the other customer in any answer',
    async (login) => {
      expect(await leaks(login, isEvening)).toEqual([]);
    },
  );
});

describe('a bus that both customers have on all days', () => {
  it('tells each of them the routes and stops of their own only', async () => {
    await server.deps.database.db
      .updateTable('bus_owners')
      .set({ from_day: '-infinity', to_day: 'infinity' })
      .where('workplace_id', '=', world.bus.busId)
      .execute();
    // Rights are cached for a moment.
    server.clock.advance(10_000);
    for (const [login, foreign] of [
      ['first', secrets.second],
      ['second', secrets.first],
    ] as const) {
      const answers = await readAll(login, inject('triesEverything'));
      const told = answers.filter(({ found }) =>
        found.some((word) => word === foreign.route || word === foreign.stop),
      );
      expect(told, login).toEqual([]);
      expect(answers.filter(({ found }) => found.includes(foreign.driver)).length).toBeGreaterThan(
        2,
      );
    }
  });
});
