// Units of EGTS over real sockets.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { type EgtsLink, openEgtsLink } from '@ridewatch/unit/src/egts/link.ts';
import {
  countsSubrecord,
  type EgtsCounts,
  type EgtsPosition,
  type EgtsRecord,
  type EgtsSubrecord,
  egtsData,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import { sql } from 'kysely';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import type { Db } from '../core/db/db.ts';
import type { Deps, Feature } from '../deps.ts';
import type { Places } from '../ingest/by-id/places.ts';
import { createEgtsListener } from '../ingest/egts/listener.ts';
import type { SessionLimits } from '../ingest/egts/session.ts';
import { addLaps } from '../laps/api.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import { listPositions } from './positions.ts';
import { createTestServer, ofAnotherProcess, type TestServer } from './test-deps.ts';

/** The moment at which the days of these tests begin, ms since 1970 UTC. */
export const EGTS_DAY_MS = Date.UTC(2026, 10, 20, 8);

/** A bus whose unit has an id in EGTS. */
export type EgtsBus = TestBus & { readonly object: number };

/** A server with a port for EGTS and calls that show what came. */
export interface EgtsWorld {
  readonly server: TestServer;
  readonly egts: TestEgts;
  freshBus(settings?: Partial<EgtsSettings>): Promise<EgtsBus>;
  /** Starts another listener on the same data, which ends with the world. */
  startAnother(deps?: Partial<Deps>, limits?: SessionLimits): Promise<TestEgts>;
  close(): Promise<void>;
}

/** Creates it, one hour after the day began. @param more features with calls that a test needs */
export async function createEgtsWorld(more: readonly Feature[] = []): Promise<EgtsWorld> {
  const features = [addAuth, addBusDay, addLaps, ...more];
  const server = await createTestServer(features, { HOST: '127.0.0.1' });
  server.clock.set(EGTS_DAY_MS + 3_600_000);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db, 'Europe/Moscow');
  const egts = await startTestEgts(server.deps);
  const running = [egts];
  let objects = 1000;
  return {
    ...{ server, egts },
    freshBus: async (settings) => {
      objects += 1;
      const object = objects;
      const bus = await insertTestBus(db, first, `Автобус ${object}`, 'Europe/Moscow');
      await adoptEgts(db, bus.unitId, object, settings);
      return { ...bus, object };
    },
    startAnother: async (deps, limits) => {
      const another = await startTestEgts(
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

let numbers = 0;

/** A record of telemetry with the next number. @param object undefined: none is named */
export function record(
  object: number | undefined,
  subrecords: readonly EgtsSubrecord[],
  more: Partial<EgtsRecord> = {},
): EgtsRecord {
  numbers += 1;
  const named = object === undefined ? {} : { object };
  return { number: numbers % 0x10000, service: 2, ...named, subrecords, ...more };
}

/** A position so many seconds after the beginning of the day. */
export const at = (seconds: number, more: Partial<EgtsPosition> = {}): EgtsSubrecord =>
  positionSubrecord({
    timeMs: EGTS_DAY_MS + seconds * 1000,
    latitude: 55.7 + (seconds % 1000) / 1e5,
    ...{ longitude: 37.6, speedKmh: 30, course: 300, ...more },
  });

/** The same moment as a record names it: seconds since 2010 UTC. */
export const egtsSecond = (seconds: number): number =>
  (EGTS_DAY_MS - Date.UTC(2010, 0)) / 1000 + seconds;

/** People at doors. */
export const people = (doors: EgtsCounts['doors'], module = 1): EgtsSubrecord =>
  countsSubrecord({ module, doors });

/** Reads what a unit has stored: positions by second of the day, events, and the sums of the hours. */
export async function storedOf({ server }: Pick<EgtsWorld, 'server'>, { unitId }: TestBus) {
  const { db } = server.deps.database;
  const positions = await listPositions(db, unitId, 0, Date.UTC(2100));
  const { rows: events } = await sql<{ s: number; door: number; way: string; count: number }>`
    select extract(epoch from time)::int - ${EGTS_DAY_MS / 1000} as s, door, direction as way, count
    from passenger_events where unit_id = ${unitId} order by time, door, direction`.execute(db);
  const { rows: hours } = await sql<{ entered: number; exited: number }>`
    select coalesce(sum(entered_adults), 0)::int as entered,
      coalesce(sum(exited_adults), 0)::int as exited
    from hourly_traffic where unit_id = ${unitId}`.execute(db);
  const seconds = positions.map(({ timeMs }) => (timeMs - EGTS_DAY_MS) / 1000);
  return { seconds, events: events.map((one) => Object.values(one)), hours: hours[0] };
}

/** Report of a unit about a second: the people at door 1, and whether it knows its place. */
export interface TestMoment {
  readonly second: number;
  readonly entered: number;
  readonly exited: number;
  readonly isValid: boolean;
}

/** Result of `storedOf` when each moment is stored once, and nothing else. */
export function storedOnce(moments: readonly TestMoment[]): Awaited<ReturnType<typeof storedOf>> {
  const all = moments.toSorted((a, b) => a.second - b.second);
  const events = all.flatMap(({ second, entered, exited }) => [
    [second, 1, 'entered', entered],
    [second, 1, 'exited', exited],
  ]);
  const sum = (way: 'entered' | 'exited'): number =>
    all.reduce((total, one) => total + one[way], 0);
  return {
    seconds: all.filter(({ isValid }) => isValid).map(({ second }) => second),
    events: events.filter(([, , , count]) => count !== 0),
    hours: { entered: sum('entered'), exited: sum('exited') },
  };
}

/** A listener on a free port, and links to it. */
export interface TestEgts {
  open(): Promise<EgtsLink>;
  openPort(): number;
  /** Closes the links, then the port. */
  stop(): Promise<void>;
}

/** Starts a listener. */
export async function startTestEgts(
  deps: Deps,
  limits?: SessionLimits,
  places?: Places,
): Promise<TestEgts> {
  const listener = createEgtsListener(deps, 0, limits, places);
  await listener.start();
  const links: EgtsLink[] = [];
  return {
    open: async () => {
      const link = await openEgtsLink(listener.openPort(), '127.0.0.1');
      links.push(link);
      return link;
    },
    openPort: () => listener.openPort(),
    stop: async () => {
      for (const link of links) link.close();
      await listener.stop();
    },
  };
}

/** Gives a unit its id in EGTS. */
export async function adoptEgts(
  db: Db,
  unitId: number,
  id: number | string,
  settings: Partial<EgtsSettings> = {},
): Promise<void> {
  await db
    .updateTable('units')
    .set({
      ...{ protocol: 'egts', protocol_id: String(id) },
      protocol_settings: JSON.stringify(settings),
    })
    .where('id', '=', unitId)
    .execute();
}

/** Sends records in one packet. @returns the results of the records, in their order, and of the packet */
export async function sendRecords(
  link: EgtsLink,
  records: readonly EgtsRecord[],
  id = 1,
): Promise<{ readonly packet: number; readonly records: number[] }> {
  link.send(egtsData(id, records));
  return confirmationOf(link, id);
}

/** Waits for the confirmation of a packet, which must be the next answer. */
export async function confirmationOf(
  link: EgtsLink,
  id: number,
): Promise<{ readonly packet: number; readonly records: number[] }> {
  const answer = await link.next();
  if (answer.kind !== 'confirmation' || answer.packet !== id) {
    throw new Error(`not the confirmation of ${id}: ${JSON.stringify(answer)}`);
  }
  return { packet: answer.result, records: [...answer.records.values()] };
}
