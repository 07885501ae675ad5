// Units of the OsmAnd form over real HTTP, at both ports.
import { OSMAND_PATH, type OsmandSettings } from '@ridewatch/contract/unit-protocols';
import type { OsmandPosition } from '@ridewatch/unit/src/osmand/request.ts';
import { createOsmandSender, type OsmandSender } from '@ridewatch/unit/src/osmand/sender.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { sql } from 'kysely';
import { buildApp } from '../app.ts';
import { createAuthenticators } from '../auth/authenticators.ts';
import type { SlowLimits } from '../core/http/slow-requests.ts';
import type { Deps } from '../deps.ts';
import { createOsmandFeature } from '../ingest/osmand/api.ts';
import type { PortLimits } from '../ingest/osmand/bodies.ts';
import { createOsmandListener, type SenderLimits } from '../ingest/osmand/listener.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import { listPositions } from './positions.ts';
import { createTestServer, ofAnotherProcess, type TestServer } from './test-deps.ts';

/** The moment at which the days of these tests begin, ms since 1970 UTC. */
export const OSMAND_DAY_MS = Date.UTC(2026, 10, 20, 8);

/** A bus whose unit has an id in the OsmAnd form. */
export type OsmandBus = TestBus & { readonly id: string };

/** The names of both ports. */
export const PORTS = ['product', 'own'] as const;

/** Addresses of both ports of a process. */
export interface TestOsmand {
  /** The product's own port, with the path. */
  readonly product: string;
  readonly own: string;
  stop(): Promise<void>;
}

/** A server with both ports. */
export interface OsmandWorld extends Pick<TestOsmand, 'product' | 'own'> {
  readonly server: TestServer;
  freshBus(settings?: Partial<OsmandSettings>): Promise<OsmandBus>;
  /** Starts another process on the same data, which ends with the world. */
  startAnother(deps?: Partial<Deps>, limits?: Limits): Promise<TestOsmand>;
  close(): Promise<void>;
}

export interface Limits {
  readonly product?: SlowLimits;
  readonly own?: SenderLimits;
  /** Of each port. */
  readonly port?: PortLimits;
}

/** Creates it, one hour after the day began. */
export async function createOsmandWorld(): Promise<OsmandWorld> {
  const server = await createTestServer([], { HOST: '127.0.0.1' });
  server.clock.set(OSMAND_DAY_MS + 3_600_000);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db, 'Europe/Moscow');
  const running = [await startTestOsmand(server.deps)];
  const [{ product, own }] = running as [TestOsmand];
  let buses = 1000;
  return {
    ...{ server, product, own },
    freshBus: async (settings = {}) => {
      buses += 1;
      const id = `phone-${buses}`;
      const bus = await insertTestBus(db, first, `Автобус ${buses}`, 'Europe/Moscow');
      await db
        .updateTable('units')
        .set({ protocol: 'osmand', protocol_id: id, protocol_settings: JSON.stringify(settings) })
        .where('id', '=', bus.unitId)
        .execute();
      return { ...bus, id };
    },
    startAnother: async (deps, limits) => {
      const another = await startTestOsmand(
        { ...server.deps, ...ofAnotherProcess(server), ...deps },
        limits,
      );
      running.push(another);
      return another;
    },
    close: async () => {
      for (const one of running) await one.stop();
      await server.close();
    },
  };
}

/** Opens both ports. */
export async function startTestOsmand(deps: Deps, limits: Limits = {}): Promise<TestOsmand> {
  const auth = await createAuthenticators(deps);
  const osmand = createOsmandFeature(limits.port);
  const app = await buildApp(deps, auth, [osmand], limits.product);
  const product = `${await app.listen({ port: 0, host: '127.0.0.1' })}${OSMAND_PATH}`;
  const listener = createOsmandListener(deps, 0, limits.own, limits.port);
  await listener.start();
  return {
    ...{ product, own: `http://127.0.0.1:${listener.openPort()}/` },
    stop: async () => {
      await listener.stop();
      await app.close();
    },
  };
}

/** The answer to a request of which everything is stored. */
export const STORED = { status: 200, body: '' };

/** The fields of a query. */
export type Fields = Readonly<Record<string, string | number>>;

/** Sends a query. @returns status and body of the answer */
export const ask = (url: string, fields: Fields) => askBy(`${url}?${textOf(fields)}`);

/** Sends a form. */
export const askForm = (url: string, fields: Fields) =>
  askBy(url, { body: new URLSearchParams(textOf(fields)), method: 'POST' });

/** Sends JSON. */
export const askByJson = (url: string, value: unknown) =>
  askBy(url, {
    ...{ method: 'POST', body: JSON.stringify(value) },
    headers: { 'content-type': 'application/json' },
  });

/** Sends a request. */
export async function askBy(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
}

const textOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/** A position so many seconds after the beginning of the day, as fields. */
export const at = (seconds: number, more: Fields = {}): Fields => ({
  ...{ timestamp: OSMAND_DAY_MS + seconds * 1000, lat: 55.7 + (seconds % 1000) / 1e5, lon: 37.6 },
  ...{ speed: 16.2, bearing: 300, ...more },
});

/** The same for a sender. */
export const positionAt = (seconds: number): OsmandPosition => ({
  ...{ timeMs: OSMAND_DAY_MS + seconds * 1000, latitude: 55.7 + (seconds % 1000) / 1e5 },
  ...{ longitude: 37.6, speedKmh: 30, course: 300 },
});

/**
 * A sender that tries again at once, ten times.
 * @param onFailure called before each further attempt
 */
export const senderOf = (
  url: string,
  id: string,
  form: 'query' | 'json',
  onFailure: () => void = () => undefined,
): OsmandSender =>
  createOsmandSender({
    ...{ url, id, form, timers: createTimers(0), signal: new AbortController().signal },
    attempts: 10,
    againMs: () => {
      onFailure();
      return 1;
    },
  });

/** Reads what a unit has stored: positions and events by second of the day, and the sums of the hours. */
export async function storedOf({ server }: Pick<OsmandWorld, 'server'>, { unitId }: TestBus) {
  const { db } = server.deps.database;
  const positions = await listPositions(db, unitId, 0, Date.UTC(2100));
  const { rows: events } = await sql<{ s: number; door: number; way: string; count: number }>`
    select ((extract(epoch from time) * 1000)::bigint - ${OSMAND_DAY_MS}) / 1000.0::float8 as s, door,
      direction as way, count
    from passenger_events where unit_id = ${unitId} order by time, door, direction`.execute(db);
  const { rows: hours } = await sql<{ entered: number; exited: number }>`
    select coalesce(sum(entered_adults), 0)::int as entered,
      coalesce(sum(exited_adults), 0)::int as exited
    from hourly_traffic where unit_id = ${unitId}`.execute(db);
  const seconds = positions.map(({ timeMs }) => (timeMs - OSMAND_DAY_MS) / 1000);
  return { seconds, events: events.map((one) => Object.values(one)), hours: hours[0] };
}
