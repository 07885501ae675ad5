// Records of EGTS with an impossible time wait for an administrator. Whatever is sent again before, meanwhile and after it, a
// record is one record.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  at,
  createEgtsWorld,
  EGTS_DAY_MS,
  type EgtsBus,
  people,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { askJson } from '../../test/requests.ts';
import { useWorld } from '../../test/use-world.ts';
import { addAside } from '../http/aside-api.ts';
import { RESULT } from './codes.ts';

const DAY_S = 86_400;
const world = useWorld(() => createEgtsWorld([addAside]));

async function ask(bus: EgtsBus, method: 'GET' | 'POST', part = '', body?: object) {
  const token = await world.server.signIn('admin');
  return askJson(world.server, token, method, `/api/admin/units/${bus.unitId}/aside${part}`, body);
}

/** Gives the only group of a unit its time, seconds of the day. */
async function place(bus: EgtsBus, seconds: number): Promise<void> {
  const { items } = (await ask(bus, 'GET')).body;
  expect(items).toHaveLength(1);
  const firstTime = new Date(EGTS_DAY_MS + seconds * 1000).toISOString();
  const placed = await ask(bus, 'POST', '/place', { groupId: items[0].id, firstTime });
  expect([placed.status, placed.body.total]).toEqual([200, 0]);
}

const asideOf = async ({ unitId }: EgtsBus): Promise<number> => {
  const { rows } = await sql`select from aside_records where unit_id = ${unitId}`.execute(
    world.server.deps.database.db,
  );
  return rows.length;
};

describe('a record of a clock that was never set', () => {
  it('is kept aside, and known after an administrator has placed it', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const never = (Date.UTC(2010, 0) - EGTS_DAY_MS) / 1000;
    const sent = [record(bus.object, [at(never + 7), people({ 1: [2, 0] })])];
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
    await place(bus, 60);
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
    expect(await storedOf(world, bus)).toMatchObject({
      ...{ seconds: [60], events: [[60, 1, 'entered', 2]] },
    });
  });
});

describe('records of a clock that was never set', () => {
  const never = (Date.UTC(2010, 0) - EGTS_DAY_MS) / 1000;

  it('are people who all count where they are placed, however many have one moment', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const count = (number: number) =>
      record(bus.object, [at(never, { isValid: false }), people({ 1: [1, 0] })], { number });
    // The bytes of 155 and 157 make one module, and so do those of 78 and 444.
    const packets = [0, 400].map((from) => [...Array(200).keys()].map((n) => count(from + n)));
    for (const sent of packets) {
      expect((await sendRecords(link, sent)).records).toEqual(sent.map(() => RESULT.ok));
      await place(bus, 60);
    }
    expect((await storedOf(world, bus)).hours).toEqual({ entered: 400, exited: 0 });
    await sendRecords(link, packets.flat());
    expect(await asideOf(bus)).toBe(0);
    expect((await storedOf(world, bus)).hours).toEqual({ entered: 400, exited: 0 });
  });

  it('are one group while the clock runs, in the order of their times', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const minutes = [...Array(30).keys()].map((n) => n * 60);
    const sent = minutes.map((s) => record(bus.object, [at(never + s), people({ 1: [1, 0] })]));
    await sendRecords(link, sent.toReversed());
    expect((await ask(bus, 'GET')).body.items).toMatchObject([
      { positions: 30, entered: 30, before: null, after: null },
    ]);
    await place(bus, 60);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: minutes.map((s) => 60 + s),
      events: minutes.map((s) => [60 + s, 1, 'entered', 1]),
    });
  });
});

describe('a record of a time to come', () => {
  it('that an administrator has placed is not kept aside again when it is sent again', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = [40, 41].map((days) =>
      record(bus.object, [at(days * DAY_S), people({ 1: [2, 0] })]),
    );
    expect((await sendRecords(link, sent.slice(0, 1))).records).toEqual([RESULT.ok]);
    await place(bus, 60);
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok, RESULT.ok]);
    expect(await asideOf(bus)).toBe(2);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [60],
      events: [[60, 1, 'entered', 2]],
    });
    // The second one waits, too, and both keep their distance.
    await place(bus, 120);
    for (const _ of [1, 2]) await sendRecords(link, sent.toReversed());
    expect(await asideOf(bus)).toBe(0);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [60, 120],
      events: [
        [60, 1, 'entered', 2],
        [120, 1, 'entered', 2],
      ],
    });
  });

  it('that was placed long ago is told to be known', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = [record(bus.object, [at(40 * DAY_S)])];
    await sendRecords(link, sent);
    await place(bus, -10 * DAY_S);
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.alreadyProcessed]);
    expect(await asideOf(bus)).toBe(0);
    expect((await storedOf(world, bus)).seconds).toEqual([-10 * DAY_S]);
  });

  it('that was stored when its time had come is not placed a second time', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { clock } = world.server;
    const beganMs = clock.nowMs();
    try {
      const early = [10, 11].map((n) => record(bus.object, [at(3 * DAY_S + n)]));
      expect((await sendRecords(link, early)).records).toEqual([RESULT.ok, RESULT.ok]);
      clock.set(beganMs + 3 * DAY_S * 1000);
      // The bus drives, so that the usual way is one statement.
      await sendRecords(link, [record(bus.object, [at(3 * DAY_S)])]);
      expect((await sendRecords(link, early.slice(1))).records).toEqual([RESULT.ok]);
      await place(bus, 3 * DAY_S - 600);
      expect((await storedOf(world, bus)).seconds).toEqual([
        3 * DAY_S - 600,
        3 * DAY_S,
        3 * DAY_S + 11,
      ]);
    } finally {
      clock.set(beganMs);
    }
  });

  it.each(['before', 'after'])(
    'an hour ahead keeps nothing of that time away, and counts where it is placed %s that time',
    async (when) => {
      const bus = await world.freshBus();
      const link = await world.egts.open();
      const { clock } = world.server;
      const [beganMs, hourS] = [clock.nowMs(), 3600];
      // The world's day began an hour ago: a clock in another zone says the hour to come.
      const drive = (seconds: number, entered: number) =>
        record(bus.object, [at(seconds), people({ 1: [entered, 0] })]);
      try {
        const early = [drive(hourS + 1800, 2), drive(hourS + 1810, 3)];
        expect((await sendRecords(link, early)).records).toEqual([RESULT.ok, RESULT.ok]);
        expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
        if (when === 'before') await place(bus, 1800);
        clock.set(beganMs + 2 * hourS * 1000);
        // One real count is as the early one of its second, and one is not.
        const real = [
          record(bus.object, [at(hourS + 1800, { latitude: 55.8 }), people({ 1: [2, 0] })]),
          record(bus.object, [at(hourS + 1810, { latitude: 55.8 }), people({ 1: [1, 0] })]),
        ];
        for (const _ of [1, 2]) expect((await sendRecords(link, real)).records).toEqual([0, 0]);
        const counted = [
          [hourS + 1800, 1, 'entered', 2],
          [hourS + 1810, 1, 'entered', 1],
        ];
        if (when === 'after') {
          expect(await storedOf(world, bus)).toMatchObject({
            ...{ seconds: [hourS + 1800, hourS + 1810], events: counted, hours: { entered: 3 } },
          });
          await place(bus, 1800);
        }
        expect(await storedOf(world, bus)).toMatchObject({
          seconds: [1800, 1810, hourS + 1800, hourS + 1810],
          events: [[1800, 1, 'entered', 2], [1810, 1, 'entered', 3], ...counted],
          hours: { entered: 8 },
        });
        expect(await asideOf(bus)).toBe(0);
      } finally {
        clock.set(beganMs);
      }
    },
  );

  it('is known, also a count beside one whose time has come meanwhile', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { clock } = world.server;
    const beganMs = clock.nowMs();
    const count = (seconds: number, entered: number) =>
      record(bus.object, [at(seconds, { isValid: false }), people({ 1: [entered, 0] })]);
    try {
      const ahead = count(3 * 3600, 3);
      await sendRecords(link, [count(3600 + 1800, 2), ahead]);
      clock.set(beganMs + 3600 * 1000);
      await sendRecords(link, [count(3600 + 1800, 4)]);
      await place(bus, 1200);
      expect((await sendRecords(link, [ahead])).records).toEqual([RESULT.ok]);
      expect(await asideOf(bus)).toBe(0);
      expect((await storedOf(world, bus)).hours).toEqual({ entered: 9, exited: 0 });
    } finally {
      clock.set(beganMs);
    }
  });

  it('stays kept aside where others were counted at its right time', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { clock } = world.server;
    const beganMs = clock.nowMs();
    const count = (seconds: number, entered: number) =>
      record(bus.object, [at(seconds, { isValid: false }), people({ 1: [entered, 0] })]);
    try {
      await sendRecords(link, [count(3600 + 1800, 2)]);
      clock.set(beganMs + 7200 * 1000);
      expect((await sendRecords(link, [count(1800, 3)])).records).toEqual([RESULT.ok]);
      const { items } = (await ask(bus, 'GET')).body;
      const firstTime = new Date(EGTS_DAY_MS + 1800 * 1000).toISOString();
      const placed = await ask(bus, 'POST', '/place', { groupId: items[0].id, firstTime });
      expect([placed.status, await asideOf(bus)]).toEqual([409, 1]);
      expect((await storedOf(world, bus)).hours).toEqual({ entered: 3, exited: 0 });
    } finally {
      clock.set(beganMs);
    }
  });

  it('is known after an administrator has placed it, also a little ahead', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = [record(bus.object, [at(3600 + 660)]), record(bus.object, [at(3600 + 600)])];
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok, RESULT.ok]);
    expect((await storedOf(world, bus)).seconds).toEqual([3600 + 600]);
    await place(bus, 60);
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok, RESULT.ok]);
    expect(await asideOf(bus)).toBe(0);
    expect((await storedOf(world, bus)).seconds).toEqual([60, 3600 + 600]);
  });

  it('keeps none of its number away that a black box sends with those around its place', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { clock } = world.server;
    const beganMs = clock.nowMs();
    try {
      await sendRecords(link, [record(bus.object, [at(3600 + 12 * 60)])]);
      clock.set(beganMs + 1200 * 1000);
      // The bus drives, so that the usual way is one statement.
      await sendRecords(link, [record(bus.object, [at(3600 + 1199)])]);
      await place(bus, 3600);
      await sendRecords(link, [record(bus.object, [at(3600 + 1200)])]);
      const minutes = [3, 12, 14].map((minute) => 3600 + minute * 60);
      const real = minutes.map((s) => record(bus.object, [at(s, { latitude: 55.8 })]));
      for (const _ of [1, 2]) expect((await sendRecords(link, real)).records).toEqual([0, 0, 0]);
      expect((await storedOf(world, bus)).seconds).toEqual([3600, ...minutes, 4799, 4800]);
    } finally {
      clock.set(beganMs);
    }
  });

  it('keeps no other position of that time away', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { clock } = world.server;
    const beganMs = clock.nowMs();
    try {
      await sendRecords(link, [record(bus.object, [at(3 * DAY_S)])]);
      clock.set(beganMs + 3 * DAY_S * 1000);
      const later = record(bus.object, [at(3 * DAY_S, { latitude: 55.8 }), people({ 2: [1, 0] })]);
      for (const _ of [1, 2]) expect((await sendRecords(link, [later])).records).toEqual([0]);
      expect((await storedOf(world, bus)).seconds).toEqual([3 * DAY_S]);
      await place(bus, 30);
      expect((await storedOf(world, bus)).seconds).toEqual([30, 3 * DAY_S]);
    } finally {
      clock.set(beganMs);
    }
  });
});
