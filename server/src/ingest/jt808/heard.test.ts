// A terminal that has shown its code lives, also one that has told nothing yet: its unit is not silent.
import { JT808, signInBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { describe, expect, it } from 'vitest';
import { findBusCameras } from '../../fetching/bus-cameras.ts';
import { storedOf } from '../../test/egts.ts';
import { forgetUnit, seenOf, waitUntilHeard } from '../../test/heard.ts';
import { createJt808World, JT808_DAY_MS, type Jt808Bus } from '../../test/jt808.ts';
import { useWorld } from '../../test/use-world.ts';
import { MESSAGE, RESULT } from './codes.ts';

/** A unit that was heard so long before is heard anew, ms. */
const LATER_MS = 60_000;
const world = useWorld(createJt808World);
const NOTHING = Buffer.alloc(0);

/** A bus with a unit that was silent, and cameras whose states are known: those say nothing new after a sign-in. */
async function silentBus(): Promise<Jt808Bus> {
  const bus = await world.freshBus();
  await world.server.deps.database.db
    .updateTable('cameras')
    .set({ status: 'online', status_at: new Date(JT808_DAY_MS) })
    .where('workplace_id', '=', bus.busId)
    .execute();
  await forgetUnit(world.server, bus);
  return bus;
}

const isSilent = async ({ busId }: Jt808Bus): Promise<boolean> => {
  const { database, clock } = world.server.deps;
  return (await findBusCameras(database.db, busId, clock.nowMs())).isSilent;
};

describe('a unit that was silent', () => {
  it('is heard once its terminal has signed in, before it tells anything', async () => {
    const bus = await silentBus();
    expect(await isSilent(bus)).toBe(true);
    await world.signedIn(bus);
    await waitUntilHeard(world.server, bus);
    expect(await isSilent(bus)).toBe(false);
    // A sign-in says nothing of the place.
    expect(await seenOf(world.server, bus)).toMatchObject({
      last_fix_at: null,
      last_moved_at: null,
    });
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('is heard when its terminal signs in again where it is signed in', async () => {
    const bus = await silentBus();
    const terminal = await world.signedIn(bus);
    world.server.clock.advance(LATER_MS);
    await terminal.signIn();
    await waitUntilHeard(world.server, bus);
  });

  it.each([
    ['that is not supported', 0x0702],
    ['that is a late list of files', MESSAGE.fileList],
    ['by which its terminal leaves', JT808.signOff],
    ['that cannot be read', JT808.location],
  ])('is heard by a message %s', async (_, id) => {
    const bus = await silentBus();
    const terminal = await world.signedIn(bus);
    world.server.clock.advance(LATER_MS);
    await terminal.ask(id, NOTHING);
    await waitUntilHeard(world.server, bus);
  });

  it('stays silent while its terminal shows no right code', async () => {
    const [bus, other] = [await silentBus(), await silentBus()];
    const terminal = await world.jt808.terminal(bus.phone);
    await terminal.register();
    expect(await terminal.ask(JT808.signIn, signInBody('2013', 'abc'))).toBe(RESULT.failed);
    expect(await terminal.ask(JT808.heartbeat, NOTHING)).toBe(RESULT.ok);
    // One statement notes this unit and those before it.
    await world.signedIn(other);
    await waitUntilHeard(world.server, other);
    expect(await isSilent(bus)).toBe(true);
  });
});
