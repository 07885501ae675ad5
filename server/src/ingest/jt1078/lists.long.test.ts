// Lists of registrars' files: several days, channels that are not there, long lists, and what happens between two lists.
import { answerBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { describe, expect, it, vi } from 'vitest';
import { listBodyOf, RECORDED_MS, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { ofAnotherProcess } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';

const DAY_MINUTES = 24 * 60;
const world = useWorld(createRegistrarWorld);
const db = () => world.server.deps.database.db;
const nowMinute = (): number => (world.server.clock.nowMs() - RECORDED_MS) / 60_000;

/** A bus whose cameras are listed until so many minutes after RECORDED_MS. */
async function listedUntil(minute: number): Promise<RegistrarBus> {
  const bus = await world.freshBus();
  const listed_until = new Date(RECORDED_MS + minute * 60_000);
  await db().updateTable('units').set({ listed_until }).where('id', '=', bus.unitId).execute();
  return bus;
}

/** Notes that the unit of a bus has just been heard. */
async function hear({ unitId }: RegistrarBus): Promise<void> {
  const last_seen_at = new Date(world.server.clock.nowMs());
  await db().updateTable('units').set({ last_seen_at }).where('id', '=', unitId).execute();
}

/** Lets time pass, ten seconds a time, until a condition holds. */
const pass = (bus: RegistrarBus, check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(async () => {
    try {
      await check();
    } catch (error) {
      world.server.clock.advance(10_000);
      await world.look(bus);
      throw error;
    }
  }, WAIT);

describe('what was recorded while the terminal was away for days', () => {
  it('is listed day by day, and goes on after a restart where it was', async () => {
    const beginMinute = nowMinute();
    const first = beginMinute - 3.5 * DAY_MINUTES;
    const bus = await listedUntil(first);
    const files = [0.2, 1.2, 2.2, 3.2].map((days) => {
      const from = Math.round(first + days * DAY_MINUTES);
      return { from, to: from + 10 };
    });
    const registrar = await world.registrar(bus, { files });
    await pass(bus, () => expect(registrar.periods.length).toBeGreaterThanOrEqual(4));
    await vi.waitFor(async () => {
      const unit = db().selectFrom('units').select('listed_until').where('id', '=', bus.unitId);
      const { listed_until } = await unit.executeTakeFirstOrThrow();
      expect(listed_until).toEqual(new Date(RECORDED_MS + (first + 2 * DAY_MINUTES) * 60_000));
    }, WAIT);
    registrar.terminal.link.close();
    const days = [0, 1].map((day) => first + day * DAY_MINUTES);
    const [one = 0, two = 0] = days;
    expect(registrar.periods.slice(0, 4)).toEqual([
      ...[one, one, two, two].map((from) => [from, from + DAY_MINUTES]),
    ]);
    const another = await world.startAnother(ofAnotherProcess(world.server));
    const back = await world.registrar(bus, { files }, another);
    await pass(bus, () => expect(back.periods.length).toBeGreaterThanOrEqual(4));
    const third = first + 2 * DAY_MINUTES;
    const periods = back.periods.map(([from]) => from);
    expect(periods.slice(0, 2)).toEqual([third, third]);
    // The last day of a camera that has recorded nothing lately is listed whole.
    const lastDay = Math.floor(nowMinute()) - DAY_MINUTES;
    for (const from of periods.slice(2, 4)) {
      expect(from).toBeGreaterThanOrEqual(lastDay - 10);
      expect(from).toBeLessThanOrEqual(third + DAY_MINUTES);
    }
    expect(back.periods[3]?.[1]).toBeGreaterThanOrEqual(Math.floor(beginMinute));
    await vi.waitFor(async () => {
      const known = (await world.fragments(bus)).map(({ from, status }) => [from, status]);
      expect(known).toEqual(files.map(({ from }) => [from, 'LIVE']));
    }, WAIT);
  });

  it('is listed for a week at most', async () => {
    const bus = await listedUntil(nowMinute() - 30 * DAY_MINUTES);
    const registrar = await world.registrar(bus);
    await pass(bus, () => expect(registrar.periods.length).toBeGreaterThan(0));
    const [from = 0] = registrar.periods[0] ?? [];
    expect(nowMinute() - from).toBeLessThanOrEqual(7 * DAY_MINUTES + 1);
  });
});

describe('what recorded cameras have recorded', () => {
  it('is listed of all channels but one that the terminal does not have', async () => {
    const bus = await world.freshBus();
    const from = nowMinute() - 30;
    const registrar = await world.registrar(bus, {
      answerQuery: ({ serial, id, body }, terminal) => {
        if (body[0] === 1) terminal.send(JT808.answer, answerBody(serial, id, 1));
        else terminal.send(0x1205, listBodyOf(serial, [{ from, to: from + 10, channel: 2 }]));
      },
    });
    await pass(bus, async () => expect(await world.fragments(bus)).toHaveLength(1));
    expect(registrar.queries.slice(0, 2)).toEqual([1, 2]);
    // The time of the refused one is asked for again, four hours back at most.
    const [[before] = []] = registrar.periods;
    world.server.clock.advance(6 * 3_600_000);
    await pass(bus, () => expect(registrar.queries.length).toBeGreaterThanOrEqual(4));
    expect(registrar.periods[2]?.[0]).toBeGreaterThan(before ?? 0);
    expect(nowMinute() - (registrar.periods[2]?.[0] ?? 0)).toBeGreaterThan(6 * 60);
  });

  it('is asked for every hour only of a terminal that lists nothing', async () => {
    const bus = await world.freshBus();
    const registrar = await world.registrar(bus, {
      answerQuery: ({ serial, id }, terminal) => {
        terminal.send(JT808.answer, answerBody(serial, id, 3));
      },
    });
    await pass(bus, () => expect(registrar.queries).toEqual([1, 2]));
    // A range that a user asks for shows that the terminal was served meanwhile.
    world.server.clock.advance(59 * 60_000);
    await hear(bus);
    await world.ask(bus, bus.cameras.door1, 0, 60);
    await world.ended(bus, 'fetch_range', ['failed']);
    expect(registrar.queries).toEqual([1, 2, 1]);
    world.server.clock.advance(2 * 60_000);
    await pass(bus, () => expect(registrar.queries).toEqual([1, 2, 1, 1, 2]));
  });

  it('is listed in several looks when a list is long', async () => {
    const begin = Math.floor(nowMinute()) - 170;
    const files = [...Array(320).keys()].map((n) => ({
      from: begin + n / 2,
      to: begin + (n + 1) / 2,
    }));
    const bus = await world.freshBus();
    const registrar = await world.registrar(bus, { files });
    await pass(bus, () => expect(registrar.queries).toContain(2));
    // No time passes while many are stored.
    await vi.waitFor(async () => expect(await world.fragments(bus)).toHaveLength(300), WAIT);
    const beganMinute = nowMinute();
    await pass(bus, async () => {
      const known = await world.fragments(bus);
      expect(known.map(({ from }) => from)).toEqual(files.map(({ from }) => from));
    });
    // Sooner than the usual look.
    expect(nowMinute() - beganMinute).toBeLessThan(10);
  });

  it('can be asked for while it is being listed', async () => {
    const bus = await world.freshBus();
    const held = Promise.withResolvers<void>();
    const registrar = await world.registrar(bus, {
      answerQuery: ({ serial, body }, terminal) => {
        const own = body[0] === 1 ? [{ from: 0, to: 10 }] : [];
        const isFirst = registrar.queries.length === 1;
        void (isFirst ? held.promise : Promise.resolve()).then(() =>
          terminal.send(0x1205, listBodyOf(serial, own)),
        );
      },
    });
    const day = DAY_MINUTES * 60_000;
    world.server.clock.set(Math.min(world.server.clock.nowMs(), RECORDED_MS + day / 2));
    await pass(bus, () => expect(registrar.queries).toHaveLength(1));
    await hear(bus);
    await world.ask(bus, bus.cameras.door1, 0, 60);
    held.resolve();
    expect(await registrar.nextUpload()).toMatchObject({ from: 0, to: 10 });
    await vi.waitFor(async () => {
      const [request] = await world.requests(bus);
      expect(request).toMatchObject({ state: 'accepted', total: 1 });
    }, WAIT);
    // The list of the range is asked for before the next camera's.
    expect(registrar.queries.slice(0, 2)).toEqual([1, 1]);
  });
});

it('a range that is cancelled while it is listed asks for no file, and delays no other one', async () => {
  const bus = await world.freshBus();
  const held = Promise.withResolvers<void>();
  const { door1, door2 } = bus.cameras;
  const registrar = await world.registrar(bus, {
    answerQuery: ({ serial, body }, terminal) => {
      const [channel = 0] = body;
      const list = listBodyOf(serial, [{ from: 0, to: 10, channel }]);
      void (channel === 1 ? held.promise : Promise.resolve()).then(() =>
        terminal.send(0x1205, list),
      );
    },
  });
  const [{ id } = { id: 0 }] = await world.ask(bus, door1, 0, 60);
  await vi.waitFor(() => expect(registrar.queries).toEqual([1]), WAIT);
  await world.ask(bus, door2, 0, 60);
  await world.call('POST', `/api/segments/set-downloading/cancel/${id}`);
  held.resolve();
  expect(await registrar.nextUpload()).toMatchObject({ channel: 2, from: 0, to: 10 });
  await world.ended(bus, 'fetch_range', ['cancelled', 'done']);
  expect(await world.fragments(bus)).toHaveLength(1);
});

it('a range of a camera whose key names no channel fails, and the user is told why', async () => {
  const bus = await world.freshBus();
  const { door1 } = bus.cameras;
  await db().updateTable('cameras').set({ stream_id: 'door' }).where('id', '=', door1).execute();
  const registrar = await world.registrar(bus);
  await world.ask(bus, door1, 0, 60);
  await world.ended(bus, 'fetch_range', ['failed']);
  const [request] = await world.requests(bus);
  expect(request).toMatchObject({ state: 'failed', reason: 'no_channel', detail: null });
  expect(registrar.queries).toEqual([]);
});

it('a terminal that signs in at another process is asked there alone', async () => {
  const bus = await world.freshBus();
  const stale = await world.registrar(bus, { files: [{ from: 0, to: 10 }] });
  const another = await world.startAnother(ofAnotherProcess(world.server));
  world.server.clock.advance(1000);
  const there = await world.registrar(bus, { files: [{ from: 0, to: 10 }] }, another);
  const unheard = { id: 0x8104, body: Buffer.alloc(0), waitMs: 1 };
  await vi.waitFor(async () => {
    expect(await world.jt808.listener.ask(bus.unitId, unheard)).toBeUndefined();
  }, WAIT);
  await world.ask(bus, bus.cameras.door1, 0, 60);
  expect(await there.nextUpload()).toMatchObject({ from: 0, to: 10 });
  expect([stale.queries, stale.waiting()]).toEqual([[], 0]);
});
