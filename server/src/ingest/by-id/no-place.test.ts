// Points at 0,0, where no bus drives, in any protocol: they are confirmed and not stored, and people beside them count.
import { egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import { batchBody, flowBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { createJt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { expect, it, onTestFinished } from 'vitest';
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
const freshBus = (name: string) =>
  insertTestBus(world.server.deps.database.db, world.fleet.first, name, 'Europe/Moscow');

it('of EGTS', async () => {
  const bus = await freshBus('ЕГТС');
  await egts.adoptEgts(world.server.deps.database.db, bus.unitId, 5001);
  const port = await egts.startTestEgts(world.server.deps);
  onTestFinished(() => port.stop());
  const link = await port.open();
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
