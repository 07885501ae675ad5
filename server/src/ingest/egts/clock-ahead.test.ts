// A clock may be minutes ahead, which EGTS does not tell: the bus is on the map all the same, also after it is set right.
import { expect, it, onTestFinished } from 'vitest';
import {
  at,
  createEgtsWorld,
  type EgtsBus,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createEgtsWorld);
/** The world's day began an hour ago. */
const NOW_S = 3600;

const presentOf = async ({ unitId }: EgtsBus) => {
  const row = await world.server.deps.database.db
    .selectFrom('units')
    .select(['last_fix_at', 'last_longitude', 'last_moved_at'])
    .where('id', '=', unitId)
    .executeTakeFirstOrThrow();
  const { last_fix_at, last_longitude, last_moved_at } = row;
  const nowMs = world.server.clock.nowMs();
  const agoOf = (moment: Date | null) => moment && (nowMs - moment.getTime()) / 1000;
  return [last_longitude, agoOf(last_fix_at), agoOf(last_moved_at)];
};

const close = (value: number) => expect.closeTo(value, 5);

/** The clock of the server, which starts again where it was. */
function useClock(): (secondsLater: number) => void {
  const { clock } = world.server;
  const beganMs = clock.nowMs();
  onTestFinished(() => clock.set(beganMs));
  return (secondsLater) => clock.set(beganMs + secondsLater * 1000);
}

it.each([31, 300, 600])(
  'a bus whose clock is %i s ahead is where its newest fix says, now',
  async (ahead) => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const setClock = useClock();
    const says = (second: number, longitude: number, speedKmh = 30) =>
      record(bus.object, [at(NOW_S + ahead + second, { longitude, speedKmh })]);
    // The newest is neither first nor last.
    const first = [says(-20, 37.1), says(0, 37.3, 0), says(-10, 37.2)];
    expect((await sendRecords(link, first)).records).toEqual(first.map(() => RESULT.ok));
    expect(await presentOf(bus)).toEqual([close(37.3), 0, 10]);
    setClock(10);
    await sendRecords(link, [says(10, 37.4)]);
    expect(await presentOf(bus)).toEqual([close(37.4), 0, 0]);
    // Records it has sent already are no news of where it is.
    setClock(11);
    await sendRecords(link, first);
    expect(await presentOf(bus)).toEqual([close(37.4), 1, 1]);
  },
);

it('a bus is followed at once when its clock is set right, through the seconds that it has said before', async () => {
  const bus = await world.freshBus();
  const link = await world.egts.open();
  const setClock = useClock();
  const says = (second: number, longitude: number) =>
    record(bus.object, [at(NOW_S + second, { longitude })]);
  await sendRecords(link, [says(60, 37.1), says(70, 37.2)]);
  setClock(60);
  expect((await sendRecords(link, [says(60, 37.3)])).records).toEqual([RESULT.alreadyProcessed]);
  expect(await presentOf(bus)).toEqual([close(37.3), 0, 0]);
  setClock(65);
  expect((await sendRecords(link, [says(65, 37.4)])).records).toEqual([RESULT.ok]);
  expect(await presentOf(bus)).toEqual([close(37.4), 0, 0]);
  expect((await storedOf(world, bus)).seconds).toEqual([60, 65, 70].map((s) => NOW_S + s));
});
