// Records of a terminal with a time that is no date are kept aside until somebody says when they were, and count once.
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frame } from '@ridewatch/unit/src/jt808/message.ts';
import { expect, it } from 'vitest';
import { storedOf } from '../../test/egts.ts';
import { at, createJt808World, flow, JT808_DAY_MS, type Jt808Bus } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { countNumberAt, EPOCH_MS, timelessNumbers } from '../by-id/numbers.ts';
import { makeRoom, placeAside } from '../store/place-aside.ts';
import { RESULT } from './codes.ts';
import { resultOf } from './told-messages.ts';

const world = useWorld(createJt808World);

/** A clock that was never set, ms since 1970 UTC. */
const NEVER_SET_MS = Date.UTC(2000, 0, 1, 3);

const withTime = (body: Buffer, digits: string, place = 22): Buffer => {
  body.write(digits, place, 'hex');
  return body;
};

const asideOf = ({ unitId }: Jt808Bus) =>
  world.server.deps.database.db
    .selectFrom('aside_records')
    .select(['stream_id', 'seq', 'raw', 'record'])
    .where('unit_id', '=', unitId)
    .orderBy('id')
    .execute();

it.each([
  ['letters', '261120a10000'],
  ['the 31st of a month without one', '261131100000'],
  ['hour 24', '261120240000'],
  ['nothing but zeros', '000000000000'],
])('a location whose time is %s is kept aside with its bytes, once', async (_, digits) => {
  const bus = await world.freshBus();
  const terminal = await world.signedIn(bus);
  const body = withTime(at(1), digits);
  for (const _again of [1, 2]) expect(await terminal.ask(JT808.location, body)).toBe(RESULT.ok);
  expect(await asideOf(bus)).toMatchObject([{ raw: `"0200${body.toString('hex')}"` }]);
  expect((await storedOf(world, bus)).seconds).toEqual([]);
});

it('items of a batch without dates are kept aside beside those that are stored', async () => {
  const bus = await world.freshBus();
  const terminal = await world.signedIn(bus);
  const [one, other] = [withTime(at(1), 'ffffffffffff'), withTime(at(2), 'ffffffffffff')];
  const batch = batchBody([at(0), one, other, one, at(3)]);
  for (const _ of [1, 2]) expect(await terminal.ask(JT808.locations, batch)).toBe(RESULT.ok);
  expect((await storedOf(world, bus)).seconds).toEqual([0, 3]);
  const raws = (await asideOf(bus)).map(({ raw }) => raw);
  expect(raws).toEqual([one, other].map((body) => `"0704${body.toString('hex')}"`));
});

it.each([
  ['start', 0],
  ['end', 6],
])(
  'people of an interval whose %s is no date are kept aside, and count once when they are placed',
  async (_, place) => {
    const bus = await world.freshBus();
    const terminal = await world.signedIn(bus);
    const people = withTime(flowBody(flow(0, 60, 3, 1)), '261131100000', place);
    const tell = async () => {
      const { phone } = bus;
      terminal.link.send(
        jt808Frame({ form: '2013', phone, id: JT808.passengerFlow, serial: 700, body: people }),
      );
      return terminal.link.next();
    };
    for (const _again of [1, 2]) expect(await tell()).toMatchObject({ result: RESULT.ok });
    expect((await storedOf(world, bus)).events).toEqual([]);
    const aside = await asideOf(bus);
    expect(aside).toHaveLength(2);
    const times = new Map(aside.map(({ seq }) => [seq, JT808_DAY_MS + 60_000]));
    const placing = { streamId: aside[0]?.stream_id ?? 0, times };
    const { database, clock } = world.server.deps;
    await makeRoom(database, bus.unitId, placing);
    await database.db
      .transaction()
      .execute((tx) => placeAside(tx, bus.unitId, placing, clock.nowMs()));
    expect(await tell()).toMatchObject({ result: RESULT.ok });
    expect(await storedOf(world, bus)).toMatchObject({
      events: [
        [60, 1, 'entered', 3],
        [60, 1, 'exited', 1],
      ],
      hours: { entered: 3, exited: 1 },
    });
    expect(await asideOf(bus)).toEqual([]);
    // Above the number of a place, all later people would cost more.
    const stored = await database.db
      .selectFrom('passenger_events')
      .select('seq')
      .where('unit_id', '=', bus.unitId)
      .execute();
    const ofPlace = stored.map(({ seq }) => countNumberAt(seq, JT808_DAY_MS + 60_000));
    expect(stored.map(({ seq }) => seq)).toEqual(ofPlace);
  },
);

it('people of a clock that was never set are others after each start, though it says the same interval', async () => {
  const bus = await world.freshBus();
  const terminal = await world.signedIn(bus);
  const people = (boarded: number): Buffer =>
    flowBody({ ...flow(0, 60, boarded, 1), startMs: NEVER_SET_MS, endMs: NEVER_SET_MS + 60_000 });
  for (const boarded of [3, 3, 5]) {
    expect(await terminal.ask(JT808.passengerFlow, people(boarded))).toBe(RESULT.ok);
  }
  expect(await asideOf(bus)).toHaveLength(6);
});

it('people of an interval in which the clock was set count at its end, once, also when they come again with another serial', async () => {
  const bus = await world.freshBus();
  const terminal = await world.signedIn(bus);
  const people = flowBody({ ...flow(0, 60, 3, 1), startMs: NEVER_SET_MS });
  for (const _again of [1, 2]) {
    expect(await terminal.ask(JT808.passengerFlow, people)).toBe(RESULT.ok);
  }
  expect(await storedOf(world, bus)).toMatchObject({
    events: [
      [60, 1, 'entered', 3],
      [60, 1, 'exited', 1],
    ],
    hours: { entered: 3, exited: 1 },
  });
  expect(await asideOf(bus)).toEqual([]);
});

it('people of an interval in which the clock was lost are kept aside', async () => {
  const bus = await world.freshBus();
  const terminal = await world.signedIn(bus);
  const people = flowBody({ ...flow(0, 60, 3, 1), endMs: NEVER_SET_MS });
  expect(await terminal.ask(JT808.passengerFlow, people)).toBe(RESULT.ok);
  expect((await storedOf(world, bus)).events).toEqual([]);
  expect(await asideOf(bus)).toHaveLength(2);
});

it('a message of which a record waits for room comes again, whatever else of it is stored', () => {
  const locations = { id: JT808.locations };
  expect(resultOf(locations, ['stored', 'aside_full'])).toBe(RESULT.failed);
  expect(resultOf({ id: JT808.location }, ['aside_full'])).toBe(RESULT.failed);
  expect(resultOf(locations, ['stored', 'no_room'])).toBe(RESULT.ok);
  expect(resultOf({ id: JT808.location }, ['no_room'])).toBe(RESULT.wrong);
});

it('records without a time have numbers of their own, made of their bytes', () => {
  const [one, other] = [Buffer.from('00'), Buffer.from('01')].map(timelessNumbers);
  expect(one).toEqual(timelessNumbers(Buffer.from('00')));
  expect(one?.position).not.toBe(other?.position);
  expect(one?.count).not.toEqual(other?.count);
  expect(Number.isSafeInteger(one?.position)).toBe(true);
  expect(one?.count.timeMs).toBeGreaterThanOrEqual(EPOCH_MS);
});
