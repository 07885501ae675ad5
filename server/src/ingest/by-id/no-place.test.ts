// Positions without a place, or at 0,0, where no bus drives, in any protocol: they are confirmed and not stored, people beside
// them count, and they keep no real place away.
import { egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { createJt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as egts from '../../test/egts.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import * as jt808 from '../../test/jt808.ts';
import * as osmand from '../../test/osmand.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';

interface World {
  readonly server: TestServer;
  readonly fleet: TestFleet;
  close(): Promise<void>;
}
const world = useWorld<World>(async () => {
  const server = await createTestServer([], { HOST: '127.0.0.1' });
  server.clock.set(egts.EGTS_DAY_MS + 3_600_000);
  const fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  return { server, fleet, close: () => server.close() };
});

const NOWHERE = { latitude: 0, longitude: 0 };
const onlyPeople = (second: number) => ({
  ...{ seconds: [], events: [[second, 1, 'entered', 2]], hours: { entered: 2, exited: 0 } },
});
const egtsBus = async (object: number) => {
  const bus = await freshBus(`ЕГТС ${object}`);
  await egts.adoptEgts(world.server.deps.database.db, bus.unitId, object);
  const port = await egts.startTestEgts(world.server.deps);
  onTestFinished(() => port.stop());
  return { bus, link: await port.open() };
};
const freshBus = (name: string) =>
  insertTestBus(world.server.deps.database.db, world.fleet.first, name, 'Europe/Moscow');

it('of EGTS', async () => {
  const { bus, link } = await egtsBus(5001);
  const told = [egts.record(5001, [egts.at(1, NOWHERE), egts.people({ 1: [2, 0] })])];
  link.send(egtsData(1, told));
  expect(await egts.confirmationOf(link, 1)).toEqual({ packet: 0, records: [0] });
  expect(await egts.storedOf(world, bus)).toEqual(onlyPeople(1));
});

it('of JT/T 808, alone and in a batch', async () => {
  const bus = await freshBus('JT/T 808');
  await jt808.adoptJt808(world.server.deps.database.db, bus.unitId, '13900005001');
  const port = await jt808.startTestJt808(world.server.deps);
  onTestFinished(() => port.stop());
  const terminal = createJt808Terminal(await port.open(), { phone: '13900005001', form: '2013' });
  await terminal.signIn();
  expect(await terminal.ask(JT808.location, jt808.at(1, NOWHERE))).toBe(0);
  expect(await terminal.ask(JT808.locations, batchBody([jt808.at(2, NOWHERE)]))).toBe(0);
  expect(await terminal.ask(JT808.passengerFlow, flowBody(jt808.flow(0, 1, 2, 0)))).toBe(0);
  expect(await egts.storedOf(world, bus)).toEqual(onlyPeople(1));
});

it('of the OsmAnd form', async () => {
  const bus = await freshBus('OsmAnd');
  await world.server.deps.database.db
    .updateTable('units')
    .set({ protocol: 'osmand', protocol_id: 'phone-0' })
    .where('id', '=', bus.unitId)
    .execute();
  const ports = await osmand.startTestOsmand(world.server.deps);
  onTestFinished(() => ports.stop());
  const fields = { id: 'phone-0', ...osmand.at(1, { lat: 0, lon: 0 }), in: 2 };
  expect(await osmand.ask(ports.own, fields)).toEqual(osmand.STORED);
  expect(await osmand.storedOf(world, bus)).toEqual(onlyPeople(1));
});

describe('a place beside a position without a fix of the same time', () => {
  const lost = (second: number, door: number, course = 300) =>
    egts.record(5002, [
      egts.at(second, { isValid: false, course }),
      egts.people({ [door]: [2, 0] }),
    ]);
  const real = (second: number, more = {}) =>
    egts.record(5002, [egts.at(second, more), egts.people({ 8: [1, 0] })]);

  it('is stored, however packets and writes part them, and known when both come again', async () => {
    const { bus, link } = await egtsBus(5002);
    const pairs = [
      [lost(1, 1), real(1)],
      [real(2), lost(2, 1)],
      [lost(3, 1), lost(3, 2, 20), real(3), real(3)],
    ];
    for (const _again of [1, 2]) {
      for (const pair of pairs) {
        const { records } = await egts.sendRecords(link, pair);
        expect(records).toEqual(pair.map(() => 0));
      }
    }
    // In one write, so that both are in one batch.
    const packets = [lost(4, 1), real(4)].map((one, n) => egtsData(10 + n, [one]));
    link.send(Buffer.concat(packets));
    for (const id of [10, 11]) {
      expect(await egts.confirmationOf(link, id)).toEqual({ packet: 0, records: [0] });
    }
    const stored = await egts.storedOf(world, bus);
    expect(stored.seconds).toEqual([1, 2, 3, 4]);
    expect(stored.hours).toEqual({ entered: 14, exited: 0 });
  });

  it('is kept aside when its time is to come, and the position without a fix is confirmed', async () => {
    const { bus, link } = await egtsBus(5003);
    const daysS = 40 * 86_400;
    const told = [egts.at(daysS), egts.at(daysS, { isValid: false })].map((one) =>
      egts.record(5003, [one]),
    );
    for (const sent of [told.slice(0, 1), told.slice(1), told]) {
      const { records } = await egts.sendRecords(link, sent);
      expect(records).toEqual(sent.map(() => 0));
    }
    expect((await egts.storedOf(world, bus)).seconds).toEqual([]);
  });

  it('is stored in a batch of JT/T 808', async () => {
    const bus = await freshBus('JT/T 808, пакет');
    await jt808.adoptJt808(world.server.deps.database.db, bus.unitId, '13900005002');
    const port = await jt808.startTestJt808(world.server.deps);
    onTestFinished(() => port.stop());
    const terminal = createJt808Terminal(await port.open(), { phone: '13900005002', form: '2013' });
    await terminal.signIn();
    const batch = batchBody([jt808.at(1, { isValid: false }), jt808.at(1)]);
    for (const _again of [1, 2]) expect(await terminal.ask(JT808.locations, batch)).toBe(0);
    expect((await egts.storedOf(world, bus)).seconds).toEqual([1]);
  });

  it('is stored in a list of the OsmAnd form', async () => {
    const bus = await freshBus('OsmAnd, список');
    await world.server.deps.database.db
      .updateTable('units')
      .set({ protocol: 'osmand', protocol_id: 'phone-1' })
      .where('id', '=', bus.unitId)
      .execute();
    const ports = await osmand.startTestOsmand(world.server.deps);
    onTestFinished(() => ports.stop());
    const one = { id: 'phone-1', ...osmand.at(1) };
    const list = [{ ...one, mock: true }, one];
    for (const _again of [1, 2]) {
      expect(await osmand.askByJson(ports.own, list)).toEqual(osmand.STORED);
    }
    expect((await osmand.storedOf(world, bus)).seconds).toEqual([1]);
  });
});
