// The simulated units that speak other protocols, over real sockets: what arrives is what happened, also over a link that
// breaks and after a unit that was switched off.
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { type BusDay, busDay } from '@ridewatch/unit/src/simulated/day.ts';
import { createDays } from '@ridewatch/unit/src/simulated/days.ts';
import { positionAt, positionTimes } from '@ridewatch/unit/src/simulated/gps.ts';
import { planFleet } from '@ridewatch/unit/src/simulated/plan.ts';
import { createProtocolUnit } from '@ridewatch/unit/src/simulated/protocol-unit.ts';
import {
  type Address,
  createTeller,
  type ProtocolAddresses,
} from '@ridewatch/unit/src/simulated/tellers.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFleet } from '../administration/set-up-api.ts';
import { addAuth } from '../auth/api.ts';
import type { Deps } from '../deps.ts';
import { createEgtsListener } from '../ingest/egts/listener.ts';
import { createJt808Listener } from '../ingest/jt808/listener.ts';
import { createOsmandListener } from '../ingest/osmand/listener.ts';
import { type CutLink, openCutLink } from '../test/cut-link.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { listPositions } from '../test/positions.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

const ZONE = 'Europe/Moscow';
const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const YESTERDAY = addDays(dayOf(NOW_MS, ZONE), -1);
const HOUR_MS = 3_600_000;
/** The server learns within three seconds whose an id is. */
const LEARNS_MS = 3_001;
const never = AbortSignal.any([]);
const timers = { ...createTimers(0), nowMs: () => NOW_MS };

/** Opens the server's port of a protocol. */
const ports: { readonly [P in UnitProtocol]: (deps: Deps) => Port } = {
  egts: (deps) => createEgtsListener(deps, 0),
  jt808: (deps) => createJt808Listener(deps, 0),
  osmand: (deps) => createOsmandListener(deps, 0),
};

interface Port {
  start(): Promise<void>;
  openPort(): number;
  stop(): Promise<void>;
}

/** The addresses of a fleet with one protocol. */
const addressesOf = (protocol: UnitProtocol, { host, port }: Address): ProtocolAddresses =>
  protocol === 'osmand' ? { osmand: `http://${host}:${port}/` } : { [protocol]: { host, port } };

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addFleet], { HOST: '127.0.0.1' });
  server.clock.set(NOW_MS);
  await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

async function setUp(plan: FleetPlan): Promise<void> {
  const answer = await server.app.inject({
    ...{ method: 'POST', url: '/api/fleet', body: plan },
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Stored records of a unit: people by door, direction, kind and hour, and the times of positions. */
async function storedOf(deviceId: string) {
  const { db } = server.deps.database;
  const { id } = await db
    .selectFrom('units')
    .select('id')
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ key: string; people: number }>`
    select concat_ws(' ', door, direction, passenger, to_char(time at time zone 'UTC', 'HH24')) as key,
      sum(count)::int as people
    from passenger_events where unit_id = ${id} group by 1`.execute(db);
  const positions = await listPositions(db, id, 0, Date.UTC(2100));
  return {
    people: Object.fromEntries(rows.map(({ key, people }) => [key, people])),
    positions: positions.map(({ timeMs }) => timeMs).sort((a, b) => a - b),
  };
}

/** Events of a span of a day, in the same form. */
function truthOf(seed: number, day: BusDay, { fromMs, toMs, everyMs }: Span) {
  const crossings = day.crossings.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const people: Record<string, number> = {};
  for (const { atMs, door, direction, passenger } of crossings) {
    const key = `${door} ${direction} ${passenger} ${new Date(atMs).toISOString().slice(11, 13)}`;
    people[key] = (people[key] ?? 0) + 1;
  }
  const times = positionTimes(day, everyMs).list(fromMs, toMs);
  const hasFix = (atMs: number): boolean => positionAt(seed, day, atMs).fix !== false;
  return { people, positions: times.map(({ atMs }) => atMs).filter(hasFix) };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly everyMs: number;
}

describe.each(UnitProtocol.options)('a simulated unit that speaks %s', (protocol) => {
  let port: Port;
  let link: CutLink;
  beforeAll(async () => {
    port = ports[protocol](server.deps);
    await port.start();
    link = await openCutLink(port.openPort());
  });
  afterAll(async () => {
    await link.close();
    await port.stop();
  });

  let seed = 10;
  /** The bus of the protocol in a world of its own, and units of it, each as after a start. */
  function freshBus() {
    seed += 1;
    const days = createDays(seed, 4);
    const { buses, plan } = planFleet(0, seed, ZONE, [protocol]);
    const [bus] = buses;
    if (bus === undefined) throw new Error('no bus');
    const failures: string[] = [];
    const start = (sentUntilMs: number) => {
      const teller = createTeller(bus, addressesOf(protocol, link), {
        ...{ timers, signal: never },
        onRefused: (reason) => failures.push(`refused: ${reason}`),
        onFailure: ({ message }) => failures.push(message),
      });
      if (teller === undefined) throw new Error('no teller');
      const unit = createProtocolUnit({ bus, days, timers, teller });
      unit.sentUntilMs = sentUntilMs;
      unit.sentFromMs = sentUntilMs;
      return Object.assign(unit, { everyMs: Math.max(5000, teller.leastEveryMs) });
    };
    return { seed, plan, failures, start, id: bus.deviceId, day: busDay(seed, bus, YESTERDAY) };
  }

  it('tells a day as it was: each position, and the people of each door and hour', async () => {
    const bus = freshBus();
    const { startMs, endMs } = bus.day;
    await setUp(bus.plan);
    const unit = bus.start(endMs);
    await unit.sendDayBefore(startMs, never);
    await unit.close();
    expect([bus.failures, unit.sentFromMs]).toEqual([[], startMs]);
    const truth = truthOf(bus.seed, bus.day, { fromMs: startMs, toMs: endMs, everyMs: 30_000 });
    expect(Object.keys(truth.people).length).toBeGreaterThan(20);
    expect(await storedOf(bus.id)).toEqual(truth);
  });

  it('goes on after a link that breaks, and after a start in the middle, without loss or repeat', async () => {
    const bus = freshBus();
    await setUp(bus.plan);
    const fromMs = bus.day.startMs + 7 * HOUR_MS;
    const broken = bus.start(fromMs);
    const span = { fromMs, toMs: fromMs + 1.5 * HOUR_MS, everyMs: broken.everyMs };
    link.cutAfter(25_000);
    const cuts = link.cuts;
    await broken.sendUntil(span.toMs, 5000, never);
    expect([link.cuts, bus.failures.length]).toEqual([cuts + 1, 1]);
    expect(broken.sentUntilMs).toBeGreaterThan(fromMs);
    expect(broken.sentUntilMs).toBeLessThan(span.toMs);
    expect(broken.isLinked(NOW_MS)).toBe(false);
    await broken.close();
    const started = bus.start(broken.sentUntilMs);
    await started.sendUntil(span.toMs, 5000, never);
    await started.close();
    expect(started.sentUntilMs).toBe(span.toMs);
    const truth = truthOf(bus.seed, bus.day, span);
    expect(await storedOf(bus.id)).toEqual(truth);
    // A unit that has lost its memory tells everything again, first little by little.
    const forgetful = bus.start(fromMs);
    for (const seconds of [20, 40, 60, 90 * 60]) {
      await forgetful.sendUntil(fromMs + seconds * 1000, 5000, never);
    }
    expect(forgetful.sentUntilMs).toBe(span.toMs);
    await forgetful.close();
    expect(await storedOf(bus.id)).toEqual(truth);
    expect(bus.failures).toHaveLength(1);
  });

  it('keeps its records until an administrator has given its id to a unit', async () => {
    const bus = freshBus();
    const fromMs = bus.day.startMs + 8 * HOUR_MS;
    const unit = bus.start(fromMs);
    const span = { fromMs, toMs: fromMs + 60_000, everyMs: unit.everyMs };
    await unit.sendUntil(span.toMs, 5000, never);
    expect([unit.sentUntilMs, bus.failures.length]).toEqual([fromMs, 1]);
    await setUp(bus.plan);
    server.clock.advance(LEARNS_MS);
    await unit.sendUntil(span.toMs, 5000, never);
    await unit.close();
    expect(unit.sentUntilMs).toBe(span.toMs);
    expect(await storedOf(bus.id)).toEqual(truthOf(bus.seed, bus.day, span));
  });
});
