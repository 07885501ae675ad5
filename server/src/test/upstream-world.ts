// Buses that send by the unit interface, and upstreams that get their records.
import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { beforeEach, expect, vi } from 'vitest';
import { addIngest } from '../ingest/http/api.ts';
import { type SendersTimes, startSenders } from '../retranslation/senders.ts';
import { type FakeUpstream, openFakeUpstream } from './egts-upstream.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from './fleet.ts';
import { createTestServer, type TestServer } from './test-deps.ts';
import { useWorld } from './use-world.ts';

/** The moment at which days of these tests begin, ms since 1970 UTC. */
export const DAY_MS = Date.UTC(2026, 10, 20, 5);

const WAIT = { timeout: 20_000, interval: 10 };
const TIMES: SendersTimes = {
  ...{ connectMs: 5000, answerMs: 600, pollMs: 10, worksMs: 20_000 },
  ...{ reconnectMs: 20, longestReconnectMs: 40, putOffMs: 60_000, beatMs: 20 },
  // The clock of a test may pass days between two beats.
  ...{ leastWaitMs: 10, askAgainMs: 600_000, lostMs: 1_000_000_000 },
};

/** A bus with the stream of its unit. */
export type SendingBus = TestBus & { readonly stream: string };

/** Settings of an upstream, and its buses with their numbers. */
interface Made {
  readonly port: number;
  readonly numbers?: ReadonlyMap<TestBus, number>;
  readonly clients?: readonly number[] | 'all';
  readonly enabled?: boolean;
  readonly withPeople?: boolean;
  readonly signIn?: 'none' | 'dispatcher' | 'terminal';
}

export interface UpstreamWorld {
  readonly server: TestServer;
  readonly fleet: TestFleet;
  freshBus(client?: number): Promise<SendingBus>;
  /** A far end that ends with the world. */
  openFar(port?: number): Promise<FakeUpstream>;
  /** Inserts an upstream, of all customers unless told otherwise. @returns its id */
  makeUpstream(made: Made): Promise<number>;
  /** Stores records of a bus. @throws AssertionError when one is refused */
  send(bus: SendingBus, records: readonly object[]): Promise<void>;
  /** Starts a process that sends. @returns stops it */
  startProcess(times?: Partial<SendersTimes>): () => Promise<void>;
  /** The rows that wait for an upstream, and their records. */
  waiting(upstream: number): Promise<{ rows: number; records: number }>;
  /** Makes what was put off due at once. */
  makeDue(): Promise<void>;
  /** The rows that are kept until the upstream knows their buses. */
  unregistered(upstream: number): Promise<{ rows: number }>;
  /** The row of an upstream. */
  stateOf(upstream: number): Promise<Record<string, unknown>>;
  /** Refusals of an upstream as [code, records]. */
  refusalsOf(upstream: number): Promise<(readonly [number, number])[]>;
  /** Waits for a state. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** A position so many seconds after the beginning of the day, with a number of its own. */
export const position = (seq: number, seconds = seq) => ({
  ...{ type: 'position', seq, time: new Date(DAY_MS + seconds * 1000).toISOString() },
  ...{ latitude: 55.7 + seconds / 1e5, longitude: 37.6, speed_kmh: 31.4, course: 270 },
});

/** People at a door. */
export const people = (seq: number, seconds: number, more: object = {}) => ({
  ...{ type: 'passenger', seq, time: new Date(DAY_MS + seconds * 1000).toISOString(), door: 1 },
  ...{ direction: 'entered', passenger: 'adult', count: 1, ...more },
});

/** Creates it, one hour after the day began. */
export async function createUpstreamWorld(): Promise<UpstreamWorld> {
  const server = await createTestServer([addIngest]);
  server.clock.set(DAY_MS + 3_600_000);
  const { db } = server.deps.database;
  const fleet = await insertTestFleet(db, 'Europe/Moscow');
  const ends: (() => Promise<void>)[] = [];
  const ending = (end: () => Promise<void>): (() => Promise<void>) => {
    let ended: Promise<void> | undefined;
    const once = () => (ended ??= end());
    ends.push(once);
    return once;
  };
  return {
    ...{ server, fleet },
    freshBus: async (client = fleet.first) => {
      const name = `Автобус ${randomUUID().slice(0, 8)}`;
      const bus = await insertTestBus(db, client, name, 'Europe/Moscow');
      return { ...bus, stream: randomUUID() };
    },
    openFar: async (port) => {
      const far = await openFakeUpstream(port);
      far.close = ending(far.close);
      return far;
    },
    makeUpstream: async ({ port, numbers = new Map(), clients = 'all', ...made }) => {
      const { enabled = true, withPeople = true, signIn = 'none' } = made;
      const { id } = await db
        .insertInto('upstreams')
        .values({
          ...{ name: randomUUID(), host: '127.0.0.1', port, enabled, with_people: withPeople },
          ...{ all_clients: clients === 'all', created_at: new Date(DAY_MS) },
          ...{
            sign_in: signIn,
            sign_in_id: signIn === 'none' ? null : 77,
            sign_in_text: 'Ридвотч',
          },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const client_id of clients === 'all' ? [] : clients) {
        await db.insertInto('upstream_clients').values({ upstream_id: id, client_id }).execute();
      }
      for (const [{ busId: workplace_id }, object_id] of numbers) {
        const row = { upstream_id: id, workplace_id, object_id };
        await db.insertInto('upstream_buses').values(row).execute();
      }
      // Processes know of it three seconds later.
      server.clock.advance(3000);
      return id;
    },
    send: async ({ stream, credential }, records) => {
      const answer = await server.app.inject({
        ...{ method: 'POST', url: '/unit/v1/batches' },
        headers: { authorization: `Bearer ${credential}` },
        body: { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json<BatchAnswer>().refused).toEqual([]);
    },
    startProcess: (times) => ending(startSenders(server.deps, { ...TIMES, ...times })),
    waiting: async (upstream) => {
      const { rows } = await sql<{ rows: number; records: number }>`
        select count(*)::int as rows, coalesce(sum(records), 0)::int as records
        from upstream_queue where upstream_id = ${upstream}`.execute(db);
      return rows[0] ?? { rows: 0, records: 0 };
    },
    makeDue: async () => {
      await sql`update upstream_queue set due_at = now() where due_at > now()`.execute(db);
    },
    unregistered: async (upstream) => {
      const { rows } = await sql<{ rows: number }>`
        select count(*)::int as rows from upstream_unregistered where upstream_id = ${upstream}`.execute(
        db,
      );
      return rows[0] ?? { rows: 0 };
    },
    stateOf: (upstream) =>
      db.selectFrom('upstreams').selectAll().where('id', '=', upstream).executeTakeFirstOrThrow(),
    refusalsOf: async (upstream) => {
      const rows = await db
        .selectFrom('upstream_refusals')
        .select(['code', 'records'])
        .where('upstream_id', '=', upstream)
        .orderBy('code')
        .execute();
      return rows.map(({ code, records }) => [code, records] as const);
    },
    until: async (isSo) => {
      await vi.waitUntil(isSo, WAIT);
    },
    close: async () => {
      for (const end of ends.reverse()) await end();
      await server.close();
    },
  };
}

/** A world for the tests of one file: before each of them a fresh far end, no upstream, and a process that sends. */
export function useUpstreams() {
  const world = useWorld(createUpstreamWorld);
  let far: FakeUpstream;
  let stop: (() => Promise<void>) | undefined;
  beforeEach(async () => {
    await stop?.();
    await world.server.deps.database.db.deleteFrom('upstreams').execute();
    far = await world.openFar();
    stop = world.startProcess();
  });
  return {
    world,
    get far() {
      return far;
    },
    /** Stops the process. */
    stop: async () => stop?.(),
    /** Starts another process, which the next test stops. */
    start: (times?: Partial<SendersTimes>) => {
      stop = world.startProcess(times);
    },
  };
}

/** The same with one upstream at the far end, which gets the records of one bus. */
export function useOneUpstream() {
  const upstreams = useUpstreams();
  const { world, stop, start } = upstreams;
  let bus: SendingBus;
  let id: number;
  beforeEach(async () => {
    bus = await world.freshBus();
    id = await world.makeUpstream({ port: upstreams.far.port, numbers: new Map([[bus, 1]]) });
  });
  const waiting = () => world.waiting(id);
  return {
    ...{ world, stop, start, waiting },
    get far() {
      return upstreams.far;
    },
    get bus() {
      return bus;
    },
    get id() {
      return id;
    },
    send: (records: readonly object[]) => world.send(bus, records),
    until: (isSo: () => boolean | Promise<boolean>) => world.until(isSo),
    /** Whether everything has left the queue. */
    isEmpty: async () => (await waiting()).rows === 0,
    makeDue: () => world.makeDue(),
    unregistered: () => world.unregistered(id),
    state: () => world.stateOf(id),
    refusals: () => world.refusalsOf(id),
  };
}

/** Seconds of the day of records that arrived, in their order. */
export const secondsOf = (some: FakeUpstream['arrived']): number[] =>
  some.map(({ timeMs }) => (timeMs - DAY_MS) / 1000);
