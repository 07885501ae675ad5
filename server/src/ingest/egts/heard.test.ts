// A terminal that has signed in lives, also one that has told nothing yet: its unit is not silent.
import type { EgtsLink } from '@ridewatch/unit/src/egts/link.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { describe, expect, it } from 'vitest';
import { adoptEgts, createEgtsWorld, record, sendRecords, storedOf } from '../../test/egts.ts';
import { forgetUnit, seenOf, waitUntilHeard } from '../../test/heard.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT, SERVICE } from './codes.ts';

/** A unit that was heard so long before is heard anew, ms. */
const LATER_MS = 60_000;
const world = useWorld(createEgtsWorld);

/** Sends the name of a terminal. @returns the result of the sign-in */
async function signIn(
  link: EgtsLink,
  name: { readonly number: number; readonly imei?: string },
): Promise<number | undefined> {
  const identity = identitySubrecord({ ...name, isSimple: true });
  const sent = [record(undefined, [identity], { service: SERVICE.auth })];
  expect((await sendRecords(link, sent)).records).toEqual([RESULT.ok]);
  const answer = await link.next();
  return answer.kind === 'sign_in' ? answer.result : undefined;
}

describe('a unit that was silent', () => {
  it('is heard once its terminal has signed in, before it tells anything', async () => {
    const bus = await world.freshBus();
    await forgetUnit(world.server, bus);
    expect(await signIn(await world.egts.open(), { number: bus.object })).toBe(RESULT.ok);
    await waitUntilHeard(world.server, bus);
    // A sign-in says nothing of the place.
    expect(await seenOf(world.server, bus)).toMatchObject({
      last_fix_at: null,
      last_moved_at: null,
    });
    expect((await storedOf(world, bus)).seconds).toEqual([]);
  });

  it('is heard by the IMEI that it is known by', async () => {
    const bus = await world.freshBus();
    const imei = '866104029690024';
    await adoptEgts(world.server.deps.database.db, bus.unitId, imei);
    await forgetUnit(world.server, bus);
    expect(await signIn(await world.egts.open(), { number: 4_242_426, imei })).toBe(RESULT.ok);
    await waitUntilHeard(world.server, bus);
  });

  it('is heard when its terminal, which has signed in, sends what is no telemetry', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    expect(await signIn(link, { number: bus.object })).toBe(RESULT.ok);
    world.server.clock.advance(LATER_MS);
    const sent = await sendRecords(link, [record(undefined, [], { service: 4 })], 2);
    expect(sent.records).toEqual([RESULT.unknownService]);
    await waitUntilHeard(world.server, bus);
  });

  it('is heard by telemetry that cannot be read', async () => {
    const bus = await world.freshBus();
    await forgetUnit(world.server, bus);
    const wrong = record(bus.object, [{ type: 16, data: Buffer.from([1, 2, 3]) }]);
    const sent = await sendRecords(await world.egts.open(), [wrong]);
    expect(sent.records).toEqual([RESULT.dataForm]);
    await waitUntilHeard(world.server, bus);
  });

  it('stays silent when a terminal signs in by an id that no unit has', async () => {
    const [bus, other] = [await world.freshBus(), await world.freshBus()];
    for (const one of [bus, other]) await forgetUnit(world.server, one);
    const { db } = world.server.deps.database;
    await db.updateTable('units').set({ enabled: false }).where('id', '=', bus.unitId).execute();
    expect(await signIn(await world.egts.open(), { number: bus.object })).toBe(RESULT.unknownId);
    // One statement notes this unit and those before it.
    expect(await signIn(await world.egts.open(), { number: other.object })).toBe(RESULT.ok);
    await waitUntilHeard(world.server, other);
    expect((await seenOf(world.server, bus)).isHeard).toBe(false);
  });
});
