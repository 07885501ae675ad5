// A message that a terminal sends again counts once, also across restarts and while the server cannot store.
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockUnit, whileLocked } from '../../test/blocked.ts';
import { openFarDatabase } from '../../test/database-link.ts';
import { storedOf } from '../../test/egts.ts';
import { at, createJt808World, flow, type Jt808Bus, startTestJt808 } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const WAIT = { timeout: 60_000, interval: 20 };

const world = useWorld(createJt808World);

describe('what comes again', () => {
  it('counts once, also after a restart of the server, in other messages and pieces', async () => {
    const bus = await world.freshBus();
    const people = flowBody(flow(0, 12, 3, 1));
    const stored = {
      seconds: [0, 1, 2],
      events: [
        [12, 1, 'entered', 3],
        [12, 1, 'exited', 1],
      ],
      hours: { entered: 3, exited: 1 },
    };
    const terminal = await world.signedIn(bus);
    for (const _ of [1, 2]) {
      for (const second of [0, 1, 2]) {
        expect(await terminal.ask(JT808.location, at(second))).toBe(RESULT.ok);
      }
      expect(await terminal.ask(JT808.passengerFlow, people)).toBe(RESULT.ok);
    }
    expect(await storedOf(world, bus)).toEqual(stored);
    // Another process remembers nothing of the unit.
    const another = await world.startAnother();
    const again = await another.terminal(bus.phone, '2019');
    await again.signIn();
    const message = { form: '2019', phone: bus.phone } as const;
    const bytes = Buffer.concat([
      jt808Frame({ ...message, id: JT808.passengerFlow, serial: 700, body: people }),
      jt808Frame({ ...message, id: JT808.locations, serial: 701, body: batchBody([at(2), at(0)]) }),
    ]);
    for (const byte of bytes) again.link.send(Buffer.from([byte]));
    expect(await again.resultOf(700, 10_000)).toBe(RESULT.ok);
    expect(await again.resultOf(701, 10_000)).toBe(RESULT.ok);
    expect(await storedOf(world, bus)).toEqual(stored);
  });

  it('with another place in the same second is answered as stored, and does not replace it', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const [first, other] = [at(0), at(0, { latitude: 10 })];
    for (const body of [first, other, first]) {
      expect(await terminal.ask(JT808.location, body)).toBe(RESULT.ok);
    }
    expect(await terminal.ask(JT808.locations, batchBody([other]))).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });

  it('with other people in the same interval is refused, and does not replace them', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const tell = (...people: Parameters<typeof flow>) =>
      terminal.ask(JT808.passengerFlow, flowBody(flow(...people)));
    expect(await tell(0, 60, 3, 1)).toBe(RESULT.ok);
    expect(await tell(0, 60, 5, 1)).toBe(RESULT.wrong);
    expect(await tell(0, 60, 3, 1)).toBe(RESULT.ok);
    // Another interval that ends at the same time is another one.
    expect(await tell(30, 60, 2, 0)).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).events).toEqual([
      [60, 1, 'entered', 3],
      [60, 1, 'entered', 2],
      [60, 1, 'exited', 1],
    ]);
  });

  it('in many messages at once is stored once, each answered in its order', async () => {
    const bus = await world.freshBus();
    const { link } = await world.signedIn(bus);
    const serials = [...Array(200).keys()].map((n) => n + 100);
    const message = { form: '2013', phone: bus.phone, id: JT808.location } as const;
    link.send(
      Buffer.concat(serials.map((n) => jt808Frame({ ...message, serial: n, body: at(n % 100) }))),
    );
    for (const serial of serials) {
      expect(await link.next()).toMatchObject({ serial, result: RESULT.ok });
    }
    expect((await storedOf(world, bus)).seconds).toEqual([...Array(100).keys()]);
  });

  it('from the memory of many months is stored whole', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const days = [...Array(100).keys()].map((n) => (n - 100) * 86_400);
    const body = batchBody(days.map((seconds) => at(seconds)));
    // The whole batch is several parts, each of which is answered.
    expect(await terminal.ask(JT808.locations, body)).toBe(RESULT.ok);
    expect((await storedOf(world, bus)).seconds).toEqual(days);
  });
});

describe('while the server cannot store', () => {
  async function behindProxy() {
    const { deps } = world.server;
    const { far, database } = await openFarDatabase(deps.database.url);
    const jt808 = await startTestJt808({ ...deps, database });
    onTestFinished(() => jt808.stop());
    return { far, jt808 };
  }

  // Those that the cameras of a bus have, each once.
  async function statesOf({ busId }: Jt808Bus) {
    const { db } = world.server.deps.database;
    const cameras = db.selectFrom('cameras').select('status').where('workplace_id', '=', busId);
    return (await cameras.distinct().execute()).map(({ status }) => status);
  }

  it('a full disk leaves a message without an answer, and the next attempt is stored', async () => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    world.server.disk.set({ totalBytes: 100, freeBytes: 1 });
    const first = terminal.send(JT808.location, at(0));
    // The answer to a message of which nothing is stored would come after it.
    expect(await terminal.ask(0x0702, Buffer.alloc(0))).toBe(RESULT.notSupported);
    world.server.disk.set({ totalBytes: 100, freeBytes: 50 });
    const second = terminal.send(JT808.location, at(0));
    expect(await terminal.link.next()).toMatchObject({ serial: second, result: RESULT.ok });
    expect(second).not.toBe(first);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });

  it('a database that dies in the middle leaves a message without an answer, and the next attempt counts once', async () => {
    const bus = await world.freshBus();
    const { db } = world.server.deps.database;
    const { far, jt808 } = await behindProxy();
    const terminal = await jt808.terminal(bus.phone);
    await terminal.signIn();
    expect(await terminal.ask(JT808.location, at(9))).toBe(RESULT.ok);
    // The location also tells the states of the cameras; they are stored in the unit's turn, but not by this message.
    await vi.waitFor(async () => expect(await statesOf(bus)).toEqual(['online']), WAIT);
    const people = flowBody(flow(0, 12, 2, 1));
    const send = async () => terminal.send(JT808.passengerFlow, people);
    const [lost] = await whileLocked(db, lockUnit(bus.unitId), [send], async () =>
      far.fallSilent(),
    );
    far.speak();
    const answered: unknown[] = [];
    void (async () => {
      for (;;) answered.push(await terminal.link.next());
    })().catch(() => undefined);
    await vi.waitFor(() => {
      if (answered.length === 0) terminal.send(JT808.passengerFlow, people);
      expect(answered[0]).toMatchObject({ kind: 'answer', result: RESULT.ok });
    }, WAIT);
    expect(answered[0]).not.toMatchObject({ serial: lost });
    expect(await storedOf(world, bus)).toMatchObject({
      ...{ seconds: [9], hours: { entered: 2, exited: 1 } },
    });
  });

  it('a database that is away from the start costs no connection, and a terminal registers later', async () => {
    const bus = await world.freshBus();
    const { far, jt808 } = await behindProxy();
    far.fallSilent();
    const terminal = await jt808.terminal(bus.phone);
    terminal.send(JT808.register, Buffer.alloc(0));
    far.speak();
    await vi.waitFor(async () => {
      expect(await terminal.register(1000)).toMatch(/^[0-9a-f]{32}$/);
    }, WAIT);
  });
});
