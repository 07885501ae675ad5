// Terminals of JT/T 808 over real sockets: what they say is stored, each message is answered once, and what cannot be taken
// costs nothing else.
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame, jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import type { Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitForBlocked } from '../../test/blocked.ts';
import { storedOf } from '../../test/egts.ts';
import { at, createJt808World, flow, type Jt808Bus } from '../../test/jt808.ts';
import { askJson } from '../../test/requests.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createJt808World);

/** The frame of a location of a bus, as a terminal of 2013 sends it. */
const locationFrame = ({ phone }: Jt808Bus, serial: number, seconds: number): Buffer =>
  jt808Frame({ form: '2013', phone, id: JT808.location, serial, body: at(seconds) });

describe.each(['2013', '2019'] as const)('a terminal with the header of %s', (form) => {
  it('registers, signs in, and brings positions to the track and people to the day of a bus', async () => {
    const bus = await world.freshBus();
    const terminal = await world.jt808.terminal(bus.phone, form);
    const code = await terminal.register();
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(await terminal.signIn(code)).toBe(code);
    expect(await terminal.ask(JT808.heartbeat, Buffer.alloc(0))).toBe(RESULT.ok);
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.ok);
    expect(await terminal.ask(JT808.locations, batchBody([at(10), at(20)]))).toBe(RESULT.ok);
    expect(await terminal.ask(JT808.passengerFlow, flowBody(flow(0, 12, 3, 1)))).toBe(RESULT.ok);
    const token = await world.server.signIn('admin');
    const ask = (url: string) => askJson(world.server, token, 'GET', url);
    const day = await ask(`/api/segments/day-segments?workplaceId=${bus.busId}&date=2026-11-20`);
    expect(day.body).toMatchObject({ totalEntered: 3, totalExited: 1 });
    const track = await ask(`/api/workplaces/gps/${bus.busId}?date=2026-11-20`);
    expect(track.body.items[0]).toMatchObject({ latitude: 55.7, longitude: 37.6, speed_kmh: 30 });
    expect((await ask(`/api/gps?busId=${bus.busId}`)).body).toMatchObject({ direction: 300 });
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [0, 10, 20],
      events: [
        [12, 1, 'entered', 3],
        [12, 1, 'exited', 1],
      ],
    });
  });
});

describe('what a terminal tells', () => {
  it('is read by the clock and for the door of its unit', async () => {
    const bus = await world.freshBus({ clock_hours: 0, door: 3 });
    const terminal = await world.signedIn(bus);
    expect(await terminal.ask(JT808.location, at(5, {}, 0))).toBe(RESULT.ok);
    const people = flowBody(flow(0, 7, 300, 0), 0);
    expect(await terminal.ask(JT808.passengerFlow, people)).toBe(RESULT.ok);
    expect(await storedOf(world, bus)).toEqual({
      ...{ seconds: [5], events: [[7, 3, 'entered', 300]] },
      hours: { entered: 300, exited: 0 },
    });
  });

  it('lives by its heartbeat alone', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    await terminal.ask(JT808.heartbeat, Buffer.alloc(0));
    const { last_seen_at: seen } = await world.server.deps.database.db
      .selectFrom('units')
      .select('last_seen_at')
      .where('id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    expect(seen?.getTime()).toBe(world.server.clock.nowMs());
  });

  it('in the south and west is there', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const body = at(0, { latitude: -33.5, longitude: -70.25 });
    expect(await terminal.ask(JT808.location, body)).toBe(RESULT.ok);
    const token = await world.server.signIn('admin');
    const url = `/api/workplaces/gps/${bus.busId}?date=2026-11-20`;
    expect((await askJson(world.server, token, 'GET', url)).body.items).toMatchObject([
      { latitude: -33.5, longitude: -70.25 },
    ]);
  });

  it('without a fix is no position, also before the terminal knows the time', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    expect(await terminal.ask(JT808.location, at(1, { isValid: false }))).toBe(RESULT.ok);
    const timeless = at(2, { isValid: false });
    timeless.fill(0, 22, 28);
    expect(await terminal.ask(JT808.location, timeless)).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('of nobody is answered, and nothing is stored', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const body = flowBody(flow(0, 60, 0, 0));
    expect(await terminal.ask(JT808.passengerFlow, body)).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).events).toEqual([]);
  });

  it('of a time to come is kept aside, once', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const body = at(40 * 86_400);
    for (const _ of [1, 2]) expect(await terminal.ask(JT808.location, body)).toBe(RESULT.ok);
    const { rows } = await sql`select from aside_records where unit_id = ${bus.unitId}`.execute(
      world.server.deps.database.db,
    );
    expect(rows).toHaveLength(1);
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('in a split batch is stored when all parts are there, and each part is answered then', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const seconds = [...Array(60).keys()];
    const body = batchBody(seconds.map((second) => at(second)));
    const frames = jt808Frames({
      form: '2013',
      phone: bus.phone,
      id: JT808.locations,
      serial: 500,
      body,
    });
    expect(frames.length).toBeGreaterThan(2);
    const [first = Buffer.alloc(0), ...others] = frames;
    terminal.link.send(Buffer.concat(others));
    expect(await terminal.link.next()).toMatchObject({ kind: 'message', id: 0x8003 });
    // Nothing of it is acknowledged yet: the next answer is that of another message.
    expect(await terminal.ask(JT808.location, at(100))).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([100]);
    terminal.link.send(first);
    for (const n of frames.keys()) {
      expect(await terminal.link.next()).toMatchObject({ serial: 500 + n, result: RESULT.ok });
    }
    expect((await storedOf(world, bus)).seconds).toEqual([...seconds, 100]);
  });
});

describe('what cannot be taken', () => {
  const ask = async (terminal: Jt808Terminal, id: number, body: Buffer) => terminal.ask(id, body);
  let bus: Jt808Bus;
  let terminal: Jt808Terminal;
  beforeAll(async () => {
    bus = await world.freshBus();
    terminal = await world.signedIn(bus);
  });

  it.each([
    ['a location beyond the pole', JT808.location, at(1, { latitude: 90.1 })],
    ['a location beyond the date line', JT808.location, at(1, { longitude: 180.1 })],
    ['a location that is cut off', JT808.location, at(1).subarray(0, 27)],
    ['an interval that ends before it begins', JT808.passengerFlow, flowBody(flow(60, 59, 1, 1))],
    ['an interval that is cut off', JT808.passengerFlow, flowBody(flow(0, 9, 1, 1)).subarray(1)],
    ['more people than there are', JT808.passengerFlow, flowBody(flow(0, 9, 0xffff, 1))],
    ['a batch without a number', JT808.locations, Buffer.from([0, 1])],
    ['a batch with nothing right in it', JT808.locations, batchBody([at(1).subarray(1)])],
  ])('%s is told so', async (_, id, body) => {
    expect(await ask(terminal, id, body)).toBe(RESULT.wrong);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
  });

  it.each([0x0702, 0x0701, 0x0900, 0x6006, 0x0004])('message %i is told so', async (id) => {
    expect(await ask(terminal, id, Buffer.from([1, 2, 3]))).toBe(RESULT.notSupported);
  });

  it('because it is encrypted is told so', async () => {
    const message = { form: '2013', phone: bus.phone, id: JT808.location, body: at(1) } as const;
    terminal.link.send(jt808Frame({ ...message, serial: 900 }, undefined, { attributes: 0x0400 }));
    const answer = { kind: 'answer', id: JT808.location, result: RESULT.notSupported };
    expect(await terminal.link.next()).toEqual({ ...answer, serial: 900 });
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('because it is split beyond a limit, or is a part of something unknown, is told so', async () => {
    const { phone } = bus;
    const part = { form: '2013', phone, body: Buffer.from([1]) } as const;
    terminal.link.send(
      Buffer.concat([
        jt808Frame({ ...part, id: JT808.locations, serial: 901 }, [129, 1]),
        jt808Frame({ ...part, id: JT808.locations, serial: 902 }, [2, 3]),
        jt808Frame({ ...part, id: 0x0801, serial: 903 }, [2, 1]),
      ]),
    );
    const results = [RESULT.notSupported, RESULT.wrong, RESULT.notSupported];
    for (const [n, result] of results.entries()) {
      expect(await terminal.link.next()).toMatchObject({ serial: 901 + n, result });
    }
  });

  it('in a batch costs itself alone', async () => {
    const own = await world.freshBus();
    const link = await world.signedIn(own);
    const beyond = at(1, { latitude: 90.1 });
    const cut = batchBody([at(0), beyond, at(1).subarray(4), at(2), at(3)]);
    expect(await link.ask(JT808.locations, cut.subarray(0, -3))).toBe(RESULT.ok);
    expect((await storedOf(world, own)).seconds).toEqual([0, 2]);
  });

  it('costs no other message, and no connection', async () => {
    const own = await world.freshBus();
    const { link } = await world.signedIn(own);
    const frames = [0, 1, 2, 3].map((n) => locationFrame(own, 600 + n, n));
    const [first, damaged, long, last] = frames as [Buffer, Buffer, Buffer, Buffer];
    damaged[20] = (damaged[20] ?? 0) ^ 1;
    const tooLong = Buffer.concat([
      long.subarray(0, -1),
      Buffer.alloc(3000, 0x33),
      long.subarray(-1),
    ]);
    link.send(Buffer.concat([first, damaged, tooLong, last]));
    expect(await link.next()).toMatchObject({ serial: 600, result: RESULT.ok });
    expect(await link.next()).toMatchObject({ serial: 603, result: RESULT.ok });
    expect((await storedOf(world, own)).seconds).toEqual([0, 3]);
  });
});

describe('a connection', () => {
  const silent = { firstMs: 60_000, idleMs: 60_000 };

  it('that says nothing is not waited for', async () => {
    const hasty = await world.startAnother({}, { ...silent, firstMs: 50 });
    await (await hasty.open()).closed;
  });

  it('that says nothing that can be read is not waited for', async () => {
    const hasty = await world.startAnother({}, { ...silent, firstMs: 50 });
    const link = await hasty.open();
    link.send(Buffer.from('7e010203047e', 'hex'));
    await link.closed;
  });

  it('that falls silent is not waited for', async () => {
    const hasty = await world.startAnother({}, { ...silent, idleMs: 50 });
    await (await hasty.open()).closed;
  });

  it('from an address that is not allowed is not heard', async () => {
    const config = { ...world.server.deps.config, jt808From: ['10.0.0.0/8', '::1'] };
    const strict = await world.startAnother({ config });
    await (await strict.open()).closed;
  });

  it('of another protocol is closed', async () => {
    const link = await world.jt808.open();
    for (let sent = 0; sent < 12; sent += 1) link.send(Buffer.alloc(200_000, 0x55));
    await link.closed;
  });

  it('that its server ends has the answers to what is being stored', async () => {
    const bus = await world.freshBus();
    const own = await world.startAnother();
    const terminal = await own.terminal(bus.phone);
    await terminal.signIn();
    const { db } = world.server.deps.database;
    let stopped: Promise<void> | undefined;
    let serial = 0;
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('units').select('id').where('id', '=', bus.unitId).forUpdate().execute();
      serial = terminal.send(JT808.location, at(0));
      await waitForBlocked(db, 1);
      stopped = own.listener.stop();
    });
    expect(await terminal.resultOf(serial, 10_000)).toBe(RESULT.ok);
    await terminal.link.closed;
    await stopped;
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });
});
