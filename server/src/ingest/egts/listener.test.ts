// Units of EGTS over real sockets: what they say is stored, each packet is answered once, and what cannot be taken costs
// nothing else.
import { type EgtsSubrecord, egtsData, egtsPacket } from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  adoptEgts,
  at,
  confirmationOf,
  createEgtsWorld,
  egtsSecond,
  people,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { askJson } from '../../test/requests.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createEgtsWorld);

describe('a link that passes on objects', () => {
  it('brings positions to the track and people to the day of a bus', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = await sendRecords(link, [
      record(bus.object, [at(0), people({ 1: [3, 1], 3: [0, 2] })]),
      record(bus.object, [at(10)]),
    ]);
    expect(sent).toEqual({ packet: RESULT.ok, records: [RESULT.ok, RESULT.ok] });
    const token = await world.server.signIn('admin');
    const ask = (url: string) => askJson(world.server, token, 'GET', url);
    const day = await ask(`/api/segments/day-segments?workplaceId=${bus.busId}&date=2026-11-20`);
    expect(day.body).toMatchObject({ totalEntered: 3, totalExited: 3 });
    const track = await ask(`/api/workplaces/gps/${bus.busId}?date=2026-11-20`);
    expect(track.body.items).toMatchObject([
      { latitude: 55.7, longitude: 37.6, speed_kmh: 30 },
      { latitude: 55.7001, longitude: 37.6 },
    ]);
    expect((await ask(`/api/gps?busId=${bus.busId}`)).body).toMatchObject({ direction: 300 });
  });

  it('has several objects in a packet; an unknown one costs its record alone', async () => {
    const [one, other] = [await world.freshBus(), await world.freshBus()];
    const link = await world.egts.open();
    const sent = await sendRecords(link, [
      record(one.object, [at(0)]),
      record(999_999, [at(0), people({ 1: [9, 9] })]),
      record(other.object, [at(0)]),
      // It is of the object before.
      record(undefined, [at(1), people({ 2: [1, 0] })]),
    ]);
    expect(sent.records).toEqual([RESULT.ok, RESULT.unknownId, RESULT.ok, RESULT.ok]);
    expect((await storedOf(world, one)).seconds).toEqual([0]);
    expect(await storedOf(world, other)).toMatchObject({
      seconds: [0, 1],
      events: [[1, 2, 'entered', 1]],
    });
  });

  it('is heard of an object as soon as an administrator knows it', async () => {
    const bus = await world.freshBus();
    const { db } = world.server.deps.database;
    await db.updateTable('units').set({ enabled: false }).where('id', '=', bus.unitId).execute();
    const link = await world.egts.open();
    const sent = [record(bus.object, [at(0)])];
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.unknownId]);
    await db.updateTable('units').set({ enabled: true }).where('id', '=', bus.unitId).execute();
    world.server.clock.advance(UNIT_KNOWN_MS);
    expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });
});

describe('a terminal', () => {
  it('signs in by its number, is told so, and needs no name after that', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const signIn = record(undefined, [identitySubrecord({ number: bus.object, isSimple: true })], {
      service: 1,
    });
    expect(await sendRecords(link, [signIn])).toMatchObject({ records: [RESULT.ok] });
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    expect((await sendRecords(link, [record(undefined, [at(5)])], 2)).records).toEqual([0]);
    expect((await storedOf(world, bus)).seconds).toEqual([5]);
  });

  it('without a number signs in by the IMEI of its modem', async () => {
    const bus = await world.freshBus();
    await adoptEgts(world.server.deps.database.db, bus.unitId, '866104029690008');
    const link = await world.egts.open();
    const identity = identitySubrecord({ number: 0, imei: '866104029690008', isSimple: true });
    // All at once, as a terminal does that does not wait.
    link.send(
      Buffer.concat([
        egtsData(1, [record(undefined, [identity], { service: 1 })]),
        egtsData(2, [record(undefined, [at(1)]), record(0, [at(2)])]),
      ]),
    );
    expect((await confirmationOf(link, 1)).records).toEqual([RESULT.ok]);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    expect((await confirmationOf(link, 2)).records).toEqual([RESULT.ok, RESULT.ok]);
    expect((await storedOf(world, bus)).seconds).toEqual([1, 2]);
  });

  it('that says number and IMEI is known by either, also when it names its number as its object', async () => {
    const bus = await world.freshBus();
    const imei = '866104029690016';
    await adoptEgts(world.server.deps.database.db, bus.unitId, imei);
    const link = await world.egts.open();
    const identity = identitySubrecord({ number: 4_242_424, imei, isSimple: true });
    const signIn = record(undefined, [identity], { service: 1 });
    expect((await sendRecords(link, [signIn])).records).toEqual([RESULT.ok]);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    const records = [record(4_242_424, [at(5)]), record(undefined, [at(6)])];
    // Another object is none of the terminal's names.
    const sent = await sendRecords(link, [...records, record(4_242_425, [at(7)])], 2);
    expect(sent.records).toEqual([RESULT.ok, RESULT.ok, RESULT.unknownId]);
    expect((await storedOf(world, bus)).seconds).toEqual([5, 6]);
  });

  it('that nobody knows is told so, and the connection stays', async () => {
    const link = await world.egts.open();
    const signIn = record(undefined, [identitySubrecord({ number: 888_888, isSimple: true })], {
      service: 1,
    });
    expect((await sendRecords(link, [signIn])).records).toEqual([RESULT.ok]);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.unknownId });
    expect((await sendRecords(link, [record(undefined, [at(5)])], 2)).records).toEqual([
      RESULT.unknownId,
    ]);
  });

  it('that says no name is told to', async () => {
    const link = await world.egts.open();
    expect((await sendRecords(link, [record(undefined, [at(5)])])).records).toEqual([
      RESULT.notSignedIn,
    ]);
  });

  it('that says nothing is not waited for', async () => {
    const hasty = await world.startAnother({}, { firstMs: 50, partMs: 60_000, idleMs: 60_000 });
    await (await hasty.open()).closed;
  });

  it('that falls silent is not waited for', async () => {
    const hasty = await world.startAnother({}, { firstMs: 60_000, partMs: 60_000, idleMs: 50 });
    await (await hasty.open()).closed;
  });

  it('from an address that is not allowed is not heard', async () => {
    const config = { ...world.server.deps.config, egtsFrom: ['10.0.0.0/8', '::1'] };
    const strict = await world.startAnother({ config });
    await (await strict.open()).closed;
  });

  it('that speaks another protocol loses its connection', async () => {
    const link = await world.egts.open();
    const noise = Buffer.alloc(200_000, 0x55);
    for (let sent = 0; sent < 12; sent += 1) link.send(noise);
    await link.closed;
  });
});

describe('what cannot be taken', () => {
  const subrecord = (type: number, bytes: readonly number[]): EgtsSubrecord => ({
    type,
    data: Buffer.from(bytes),
  });

  it('is told of, record by record', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const { object } = bus;
    const records = [
      record(object, [at(1)]),
      record(object, [at(2)], { service: 4 }),
      record(object, [subrecord(16, [1, 2, 3])]),
      record(object, [at(3), subrecord(28, [0, 3, 3, 0, 0, 1, 1])]),
      record(object, [people({ 1: [1, 0] })]),
      // People that a record's own time places.
      record(object, [people({ 2: [1, 0] })], { seconds: egtsSecond(4) }),
    ];
    expect((await sendRecords(link, records)).records).toEqual([
      RESULT.ok,
      RESULT.unknownService,
      RESULT.dataForm,
      RESULT.dataForm,
      RESULT.notEnough,
      RESULT.ok,
    ]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [1],
      events: [[4, 2, 'entered', 1]],
    });
  });

  it('is skipped where the standard says so', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const known = [18, 19, 20, 27, 200].map((type) => subrecord(type, [1, 2, 3, 4, 5, 6]));
    // The form of a counter that only its vendor knows.
    const vendor = subrecord(28, [1, 0, 0, 1, 0, 7, 7, 7]);
    const sent = await sendRecords(link, [record(bus.object, [...known, at(1), vendor])]);
    expect(sent.records).toEqual([RESULT.ok]);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [1], events: [] });
  });

  it('costs no other packet, and no connection', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const packets = [0, 1, 2, 3].map((n) => egtsData(n, [record(bus.object, [at(n)])]));
    const [first, data, header, last] = packets as [Buffer, Buffer, Buffer, Buffer];
    data[20] = (data[20] ?? 0) ^ 1;
    header[7] = (header[7] ?? 0) ^ 4;
    link.send(Buffer.concat([first, data, header, last]));
    expect(await confirmationOf(link, 0)).toEqual({ packet: 0, records: [0] });
    expect(await confirmationOf(link, 1)).toEqual({ packet: RESULT.dataChecksum, records: [] });
    expect(await confirmationOf(link, 2 ^ 4)).toEqual({
      packet: RESULT.headerChecksum,
      records: [],
    });
    expect(await confirmationOf(link, 3)).toEqual({ packet: 0, records: [0] });
    expect((await storedOf(world, bus)).seconds).toEqual([0, 3]);
  });

  it('because a wrong length has a right checksum holds the link up for a moment only', async () => {
    const hasty = await world.startAnother({}, { firstMs: 60_000, partMs: 50, idleMs: 60_000 });
    const bus = await world.freshBus();
    const link = await hasty.open();
    const header = egtsPacket(1, 1, Buffer.alloc(60_000)).subarray(0, 11);
    link.send(Buffer.concat([header, egtsData(2, [record(bus.object, [at(1)])])]));
    expect((await confirmationOf(link, 2)).records).toEqual([RESULT.ok]);
    expect((await storedOf(world, bus)).seconds).toEqual([1]);
  });

  it('of a packet that ends within a record leaves its whole records', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const whole = egtsData(1, [record(bus.object, [at(1)])]).subarray(11, -2);
    link.send(egtsPacket(7, 1, Buffer.concat([whole, whole.subarray(0, 20)])));
    expect(await confirmationOf(link, 7)).toEqual({ packet: RESULT.dataForm, records: [0] });
    expect((await storedOf(world, bus)).seconds).toEqual([1]);
  });

  it('is no position without a valid fix, and people are counted all the same', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = [record(bus.object, [at(1, { isValid: false }), people({ 1: [2, 0] })])];
    for (const _ of [1, 2]) expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [],
      events: [[1, 1, 'entered', 2]],
    });
  });

  it('of a time to come is kept aside, once', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = [record(bus.object, [at(40 * 86_400), people({ 1: [2, 0] })])];
    for (const _ of [1, 2]) expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
    const { rows } = await sql`select from aside_records where unit_id = ${bus.unitId}`.execute(
      world.server.deps.database.db,
    );
    expect(rows).toHaveLength(2);
    expect(await storedOf(world, bus)).toMatchObject({ seconds: [], events: [] });
  });
});
