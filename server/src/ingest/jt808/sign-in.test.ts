// A terminal may tell something if a unit has its number and it shows the code that it was given.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { batchBody, JT808, signInBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import { createJt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { describe, expect, it, vi } from 'vitest';
import { storedOf } from '../../test/egts.ts';
import { adoptJt808, at, createJt808World, JT808_DAY_MS } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { createConnectionTurns } from '../by-id/connection-turns.ts';
import { REGISTRATION, RESULT } from './codes.ts';
import { openSession, type SessionDeps } from './session.ts';
import { createSignIns, MOST_SIGNED_IN } from './sign-ins.ts';
import { createSplitRoom } from './split-messages.ts';
import { createTerminals } from './terminals.ts';

const world = useWorld(createJt808World);
/** Within this a process knows what an administrator changed, ms. */
const KNOWN_MS = 3000;
const NOTHING = Buffer.alloc(0);

describe('a code', () => {
  it('is the same for each registration of a terminal, in any form, connection and process', async () => {
    const bus = await world.freshBus();
    const first = await (await world.jt808.terminal(bus.phone)).register();
    const restarted = await world.startAnother();
    const again = await restarted.terminal(bus.phone, '2019');
    expect(await again.register()).toBe(first);
    expect(await again.register()).toBe(first);
    expect(await again.ask(JT808.signIn, signInBody('2019', first))).toBe(RESULT.ok);
  });

  it('is another one for another terminal, and for another unit with the same number', async () => {
    const [one, other] = [await world.freshBus(), await world.freshBus()];
    const codeOf = async (phone: string) => (await world.jt808.terminal(phone)).register();
    const first = await codeOf(one.phone);
    expect(await codeOf(other.phone)).not.toBe(first);
    const { db } = world.server.deps.database;
    await db.updateTable('units').set({ protocol_id: '1' }).where('id', '=', one.unitId).execute();
    await adoptJt808(db, other.unitId, one.phone);
    world.server.clock.advance(KNOWN_MS);
    expect(await codeOf(one.phone)).not.toBe(first);
  });

  it('may end with the zero of a text', async () => {
    const bus = await world.freshBus();
    const terminal = await world.jt808.terminal(bus.phone);
    const code = await terminal.register();
    expect(await terminal.ask(JT808.signIn, Buffer.from(`${code}\0`))).toBe(RESULT.ok);
  });

  it.each([
    ['with another letter', (code: string) => Buffer.from(code.replace(/.$/, 'g'))],
    ['that is shorter', (code: string) => Buffer.from(code.slice(1))],
    ['that is longer', (code: string) => Buffer.from(`${code}0`)],
    ['that is none', () => NOTHING],
    ['in the form of the other header', (code: string) => signInBody('2019', code)],
  ])('%s is refused, nothing is stored, and the terminal may register again', async (_, body) => {
    const bus = await world.freshBus();
    const terminal = await world.jt808.terminal(bus.phone);
    const code = await terminal.register();
    expect(await terminal.ask(JT808.signIn, body(code))).toBe(RESULT.failed);
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.failed);
    expect((await storedOf(world, bus)).seconds).toEqual([]);
    await terminal.signIn();
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });
});

describe('until a terminal has signed in', () => {
  it('only heartbeats and its leave are answered as right', async () => {
    const bus = await world.freshBus();
    const terminal = await world.jt808.terminal(bus.phone);
    await terminal.register();
    const asked = [JT808.heartbeat, JT808.signOff, JT808.location, JT808.passengerFlow, 0x0702];
    const results: (number | undefined)[] = [];
    for (const id of asked) results.push(await terminal.ask(id, at(0)));
    expect(results).toEqual([RESULT.ok, RESULT.ok, RESULT.failed, RESULT.failed, RESULT.failed]);
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('a message that is sent together with the sign-in waits for nothing else', async () => {
    const bus = await world.freshBus();
    const code = await (await world.jt808.terminal(bus.phone)).register();
    const { link } = await world.jt808.terminal(bus.phone);
    const message = { form: '2013', phone: bus.phone } as const;
    link.send(
      Buffer.concat([
        jt808Frame({ ...message, id: JT808.location, serial: 1, body: at(1) }),
        jt808Frame({ ...message, id: JT808.signIn, serial: 2, body: Buffer.from(code) }),
        jt808Frame({ ...message, id: JT808.location, serial: 3, body: at(3) }),
      ]),
    );
    const results = [RESULT.failed, RESULT.ok, RESULT.ok];
    for (const [n, result] of results.entries()) {
      expect(await link.next()).toMatchObject({ serial: n + 1, result });
    }
    expect((await storedOf(world, bus)).seconds).toEqual([3]);
  });
});

describe('a sign-in', () => {
  it('is of one terminal: others in the connection need their own', async () => {
    const [one, other] = [await world.freshBus(), await world.freshBus()];
    const first = await world.signedIn(one);
    const second = createJt808Terminal(first.link, { phone: other.phone, form: '2019' });
    expect(await second.ask(JT808.location, at(0))).toBe(RESULT.failed);
    await second.signIn();
    expect(await second.ask(JT808.location, at(1))).toBe(RESULT.ok);
    expect(await first.ask(JT808.location, at(2))).toBe(RESULT.ok);
    expect((await storedOf(world, one)).seconds).toEqual([2]);
    expect((await storedOf(world, other)).seconds).toEqual([1]);
  });

  it('is of one connection', async () => {
    const bus = await world.freshBus();
    await world.signedIn(bus);
    const another = await world.jt808.terminal(bus.phone);
    expect(await another.ask(JT808.location, at(0))).toBe(RESULT.failed);
  });

  it('ends when the terminal leaves', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    expect(await terminal.ask(JT808.signOff, NOTHING)).toBe(RESULT.ok);
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.failed);
  });

  it.each([
    ['switches the unit off', { enabled: false }],
    ['takes its number away', { protocol: null, protocol_id: null }],
  ] as const)('ends within three seconds when an administrator %s', async (_, change) => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.ok);
    const { db } = world.server.deps.database;
    await db.updateTable('units').set(change).where('id', '=', bus.unitId).execute();
    world.server.clock.advance(KNOWN_MS);
    expect(await terminal.ask(JT808.location, at(1))).toBe(RESULT.failed);
    await db.updateTable('units').set({ enabled: true }).where('id', '=', bus.unitId).execute();
    await adoptJt808(db, bus.unitId, bus.phone);
    world.server.clock.advance(KNOWN_MS);
    // It must sign in again.
    expect(await terminal.ask(JT808.location, at(2))).toBe(RESULT.failed);
    await terminal.signIn();
    expect(await terminal.ask(JT808.location, at(3))).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([0, 3]);
  });

  it('ends when another unit gets the number', async () => {
    const [bus, other] = [await world.freshBus(), await world.freshBus()];
    const terminal = await world.signedIn(bus);
    const { db } = world.server.deps.database;
    await db.updateTable('units').set({ protocol_id: '2' }).where('id', '=', bus.unitId).execute();
    await adoptJt808(db, other.unitId, bus.phone);
    world.server.clock.advance(KNOWN_MS);
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.failed);
    expect((await storedOf(world, other)).seconds).toEqual([]);
  });

  it('in a connection that has closed meanwhile makes it no way to the terminal, which may be in another one', async () => {
    const socket = new Socket();
    const asked = Promise.withResolvers<void>();
    const known = Promise.withResolvers<Awaited<ReturnType<SessionDeps['findUnits']>>>();
    const isRight = vi.fn(() => true);
    const onAdd = vi.fn();
    const terminals = createTerminals(onAdd);
    const nothing = () => undefined;
    const session = openSession(socket, {
      ...{ clock: world.server.clock, log: world.server.deps.log, terminals },
      ...{ inTurn: createConnectionTurns(), splitRoom: createSplitRoom() },
      ...{ limits: { firstMs: 60_000, idleMs: 60_000 }, knocks: { note: nothing } },
      heardUnits: { note: nothing },
      noteNoNumber: nothing,
      place: { keep: nothing, leave: nothing },
      events: { heard: nothing, located: nothing, listedLate: nothing, uploadEnded: nothing },
      takeTold: async () => [],
      loadCodes: async () => ({ codeOf: () => '', isRight }),
      findUnits: () => {
        asked.resolve();
        return known.promise;
      },
    });
    const message = { form: '2013', phone: '13912345678' } as const;
    const frames = [
      jt808Frame({ ...message, id: JT808.signIn, serial: 1, body: Buffer.from('code') }),
      jt808Frame({ ...message, id: JT808.heartbeat, serial: 2, body: NOTHING }),
    ];
    socket.emit('data', Buffer.concat(frames));
    await asked.promise;
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    const unit = { unitId: 7, deviceId: '7', busId: 1, assignedFromMs: 0, pastAssignments: [] };
    known.resolve(new Map([['13912345678', { unit, settings: Jt808Settings.parse({}) }]]));
    await session.stop();
    expect(isRight).toHaveBeenCalledOnce();
    expect(onAdd).not.toHaveBeenCalled();
  });

  it('of too many terminals in a connection ends for the one that was silent for longest', () => {
    const signIns = createSignIns(createTerminals());
    const ask = async () => undefined;
    for (let n = 0; n < MOST_SIGNED_IN; n += 1) signIns.add(`${n}`, { unitId: n, ask, atMs: 0 });
    expect(signIns.heard('0', 0)).toBe(true);
    signIns.add('new', { unitId: 99_999, ask, atMs: 0 });
    expect(
      ['0', '1', '2', 'new'].map((id) => signIns.heard(id, id === 'new' ? 99_999 : Number(id))),
    ).toEqual([...[true, false, true, true]]);
  });
});

describe('a terminal that no unit has', () => {
  it('is told so, stores nothing, and is listed with its last position', async () => {
    const own = await world.startAnother();
    const terminal = await own.terminal('77700001111', '2019');
    expect(await terminal.register()).toBe('');
    expect(await terminal.ask(JT808.heartbeat, NOTHING)).toBe(RESULT.ok);
    expect(await terminal.ask(JT808.signIn, signInBody('2019', 'abc'))).toBe(RESULT.failed);
    const batch = batchBody([at(10), at(20, { latitude: 55.5 })]);
    expect(await terminal.ask(JT808.locations, batch)).toBe(RESULT.failed);
    await own.stop();
    const known = await world.server.deps.database.db
      .selectFrom('unknown_units')
      .select(['protocol', 'protocol_id', 'records', 'latitude', 'longitude', 'sent_time'])
      .where('protocol_id', '=', '77700001111')
      .execute();
    expect(known).toEqual([
      {
        ...{ protocol: 'jt808', protocol_id: '77700001111', records: 2 },
        ...{ latitude: 55.5, longitude: 37.6, sent_time: new Date(JT808_DAY_MS + 20_000) },
      },
    ]);
  });

  it.each([
    ['is listed by a number with letters', '4eb6fb4afd9e', true],
    ['is told so, and not listed, by a number that is none', '000000000000', false],
  ])('%s', async (_, phone, isListed) => {
    const own = await world.startAnother();
    const link = await own.open();
    const message = { form: '2013', phone } as const;
    link.send(
      Buffer.concat([
        jt808Frame({ ...message, id: JT808.register, serial: 1, body: NOTHING }),
        jt808Frame({ ...message, id: JT808.location, serial: 2, body: at(0) }),
      ]),
    );
    expect(await link.next()).toMatchObject({
      kind: 'registered',
      result: REGISTRATION.unknownTerminal,
    });
    expect(await link.next()).toMatchObject({ serial: 2, result: RESULT.failed });
    await own.stop();
    const { db } = world.server.deps.database;
    const listed = await db.selectFrom('unknown_units').select('protocol_id').execute();
    const ids = listed.map(({ protocol_id }) => protocol_id);
    expect([ids.includes(phone), ids.includes('')]).toEqual([isListed, false]);
  });

  it('signs in as soon as an administrator gives its number to a unit, in the same connection', async () => {
    const bus = await world.freshBus();
    const terminal = await world.jt808.terminal('77700002222');
    await expect(terminal.signIn()).rejects.toThrow('does not know');
    const { db } = world.server.deps.database;
    await adoptJt808(db, bus.unitId, '77700002222');
    world.server.clock.advance(KNOWN_MS);
    await terminal.signIn();
    expect(await terminal.ask(JT808.location, at(0))).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });
});
