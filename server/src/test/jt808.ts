// Terminals of JT/T 808 over real sockets.
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import {
  type Jt808Flow,
  type Jt808Location,
  locationBody,
} from '@ridewatch/unit/src/jt808/bodies.ts';
import { type Jt808Link, openJt808Link } from '@ridewatch/unit/src/jt808/link.ts';
import type { Jt808Form } from '@ridewatch/unit/src/jt808/message.ts';
import { createJt808Terminal, type Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import type { Db } from '../core/db/db.ts';
import type { Deps } from '../deps.ts';
import type { SilenceLimits } from '../ingest/by-id/message-pump.ts';
import type { Places } from '../ingest/by-id/places.ts';
import { createJt808Listener, type Jt808Listener } from '../ingest/jt808/listener.ts';
import { addLaps } from '../laps/api.ts';
import { EGTS_DAY_MS } from './egts.ts';
import { insertTestBus, insertTestFleet, type TestBus } from './fleet.ts';
import { createTestServer, ofAnotherProcess, type TestServer } from './test-deps.ts';

/** The moment at which the days of these tests begin, ms since 1970 UTC. */
export const JT808_DAY_MS = EGTS_DAY_MS;

/** A bus whose unit has a number in JT/T 808. */
export type Jt808Bus = TestBus & { readonly phone: string };

/** A server with a port for JT/T 808 and calls that show what came. */
export interface Jt808World {
  readonly server: TestServer;
  readonly jt808: TestJt808;
  freshBus(settings?: Partial<Jt808Settings>): Promise<Jt808Bus>;
  /** Starts another listener on the same data, which ends with the world. */
  startAnother(deps?: Partial<Deps>, limits?: SilenceLimits): Promise<TestJt808>;
  /** Connects a terminal that has signed in. */
  signedIn(bus: Jt808Bus, form?: Jt808Form): Promise<Jt808Terminal>;
  close(): Promise<void>;
}

/** Creates it, one hour after the day began. */
export async function createJt808World(): Promise<Jt808World> {
  const server = await createTestServer([addAuth, addBusDay, addLaps], { HOST: '127.0.0.1' });
  server.clock.set(JT808_DAY_MS + 3_600_000);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db, 'Europe/Moscow');
  const jt808 = await startTestJt808(server.deps);
  const running = [jt808];
  let phones = 13_900_000_000;
  return {
    ...{ server, jt808 },
    freshBus: async (settings) => {
      phones += 1;
      const phone = String(phones);
      const bus = await insertTestBus(db, first, `Автобус ${phone}`, 'Europe/Moscow');
      await adoptJt808(db, bus.unitId, phone, settings);
      return { ...bus, phone };
    },
    startAnother: async (deps, limits) => {
      const another = await startTestJt808(
        { ...server.deps, ...ofAnotherProcess(server), ...deps },
        limits,
      );
      running.push(another);
      return another;
    },
    signedIn: async (bus, form = '2013') => {
      const terminal = await jt808.terminal(bus.phone, form);
      await terminal.signIn();
      return terminal;
    },
    close: async () => {
      for (const one of running) await one.stop();
      await server.close();
    },
  };
}

/** The body of a location so many seconds after the beginning of the day. */
export const at = (seconds: number, more: Partial<Jt808Location> = {}, clockHours = 8): Buffer =>
  locationBody(
    {
      timeMs: JT808_DAY_MS + seconds * 1000,
      latitude: 55.7 + (seconds % 1000) / 1e5,
      ...{ longitude: 37.6, speedKmh: 30, course: 300, satellites: 11, ...more },
    },
    clockHours,
  );

/** People between two seconds of the day. */
export const flow = (from: number, to: number, entered: number, exited: number): Jt808Flow => ({
  ...{ startMs: JT808_DAY_MS + from * 1000, endMs: JT808_DAY_MS + to * 1000, entered, exited },
});

/** A listener on a free port, and connections to it. */
export interface TestJt808 {
  readonly listener: Jt808Listener;
  open(): Promise<Jt808Link>;
  /** Connects a terminal that has said nothing yet. */
  terminal(phone: string, form?: Jt808Form): Promise<Jt808Terminal>;
  /** Closes the connections, then the port. */
  stop(): Promise<void>;
}

/** Starts a listener. */
export async function startTestJt808(
  deps: Deps,
  limits?: SilenceLimits,
  places?: Places,
): Promise<TestJt808> {
  const listener = createJt808Listener(deps, 0, limits, places);
  await listener.start();
  const links: Jt808Link[] = [];
  const open = async (): Promise<Jt808Link> => {
    const link = await openJt808Link(listener.openPort(), '127.0.0.1');
    links.push(link);
    return link;
  };
  return {
    ...{ listener, open },
    terminal: async (phone, form = '2013') => createJt808Terminal(await open(), { phone, form }),
    stop: async () => {
      for (const link of links) link.close();
      await listener.stop();
    },
  };
}

/** Gives a unit its number in JT/T 808. */
export async function adoptJt808(
  db: Db,
  unitId: number,
  phone: string,
  settings: Partial<Jt808Settings> = {},
): Promise<void> {
  await db
    .updateTable('units')
    .set({
      ...{ protocol: 'jt808', protocol_id: phone },
      protocol_settings: JSON.stringify(settings),
    })
    .where('id', '=', unitId)
    .execute();
}
