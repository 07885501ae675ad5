import type { CalculationParts, GroupCalculation } from '@ridewatch/contract/calculation';
import type { listCalculationChanges } from '@ridewatch/contract/calculation-history';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addReview } from '../manual-counts/api.ts';
import { addMoney } from '../money/api.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import { passengerRecord, sendRecords } from './laps.ts';
import { createTestServer } from './test-deps.ts';

/** The day of the calculators' tests. */
export const DAY = '2026-11-20';

/** Changes of a day's history. */
export type History = ResponseOf<typeof listCalculationChanges>;

/** The changed values of a history, without manual counts. */
export const valuesIn = ({ items }: History) =>
  items.flatMap((item) => (item.kind === 'value' ? [item] : []));

/**
 * Creates a server with calculators, and actions on them.
 * @param zone of the buses
 */
export async function createCalculator(zone = 'Europe/Moscow') {
  const server = await createTestServer([addAuth, addIngest, addBusDay, addReview, addMoney]);
  const { db } = server.deps.database;
  const fleet = await insertTestFleet(db, zone);
  server.clock.set(Date.parse(`${DAY}T18:00:00Z`));
  const tokens: Record<string, string> = {};
  for (const login of ['admin', 'operator', 'first', 'second']) {
    tokens[login] = await server.signIn(login);
  }
  let buses = 0;
  const ask = async (
    login: string,
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: object,
  ) => {
    const headers = { authorization: `Bearer ${tokens[login]}` };
    const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
    const body = answer.body === '' ? undefined : answer.json();
    return { status: answer.statusCode, body };
  };
  const found = async (url: string) => {
    const { status, body } = await ask('admin', 'GET', url);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };
  const about = ({ busId }: TestBus, day: string): string => `workplaceId=${busId}&date=${day}`;
  return {
    server,
    db,
    fleet,
    ask,
    /** A bus of the first customer. */
    newBus: (): Promise<TestBus> => {
      buses += 1;
      return insertTestBus(db, fleet.first, `Автобус ${100 + buses}`, zone);
    },
    /** Sends people at moments of UTC, one event each. */
    send: (
      bus: TestBus,
      people: readonly (readonly [time: string, count: number, side?: 'entered' | 'exited'])[],
    ): Promise<void> =>
      sendRecords(
        server.app,
        bus,
        people.map(([time, count, side = 'entered']) =>
          passengerRecord(Date.parse(time), side, count),
        ),
        server.clock.nowMs(),
      ),
    calculation: (bus: TestBus, day = DAY): Promise<Calculation> =>
      found(`/api/workplaces/calculation?${about(bus, day)}`),
    parts: (bus: TestBus, day = DAY): Promise<CalculationParts> =>
      found(`/api/workplaces/calculation/parts?${about(bus, day)}`),
    history: (bus: TestBus, day = DAY, page = ''): Promise<History> =>
      found(`/api/workplaces/calculation/history?${about(bus, day)}${page}`),
    busDay: (bus: TestBus, day = DAY): Promise<DayFragments> =>
      found(`/api/segments/day-segments?${about(bus, day)}`),
    /** Saves values of a day. */
    save: async (
      bus: TestBus,
      values: object,
      { day = DAY, login = 'operator' }: SaveOptions = {},
    ) => {
      const body = { workplaceId: bus.busId, date: day, ...values };
      return ask(login, 'PUT', '/api/workplaces/calculation', body);
    },
    setGroup: async (routeId: number, values: object, login = 'operator') => {
      const body = { group_id: routeId, preview: false, ...values };
      const answer = await ask(login, 'PUT', '/api/workplaces/calculation/group', body);
      return answer as { status: number; body: GroupCalculation & Record<string, unknown> };
    },
  };
}

interface SaveOptions {
  readonly day?: string;
  readonly login?: string;
}
