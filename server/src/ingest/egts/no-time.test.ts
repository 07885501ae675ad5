// A receiver without a fix may not know the time: people then have the time of their record, or wait for an administrator.
import { describe, expect, it } from 'vitest';
import {
  at,
  createEgtsWorld,
  EGTS_DAY_MS,
  type EgtsBus,
  egtsSecond,
  people,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { makeRoom, placeAside } from '../store/place-aside.ts';
import { RESULT } from './codes.ts';

const world = useWorld(createEgtsWorld);

/** Times that no position has: of a clock that was never set, and of a field without a value. */
const NEVER = (Date.UTC(2010) - EGTS_DAY_MS) / 1000;
const FULL = NEVER + 0xffff_ffff;
const lost = (seconds: number) => at(seconds, { isValid: false });

const asideOf = ({ unitId }: EgtsBus) =>
  world.server.deps.database.db
    .selectFrom('aside_records')
    .select(['stream_id', 'seq'])
    .where('unit_id', '=', unitId)
    .execute();

describe('people beside a position without a fix', () => {
  it.each([
    ['0', NEVER],
    ['above all times', FULL],
    ['more than a day later', 86_500],
  ])('count at the time of their record if the time of the position is %s', async (_, seconds) => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const told = [5, 8].map((second) =>
      record(bus.object, [lost(seconds), people({ 1: [2, 0] })], { seconds: egtsSecond(second) }),
    );
    for (const _again of [1, 2]) {
      expect((await sendRecords(link, told)).records).toEqual([RESULT.ok, RESULT.ok]);
    }
    expect(await storedOf(world, bus)).toMatchObject({
      events: [
        [5, 1, 'entered', 2],
        [8, 1, 'entered', 2],
      ],
    });
    expect(await asideOf(bus)).toEqual([]);
  });

  it('count at the time of their position if that is possible', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const told = record(bus.object, [lost(60), people({ 1: [2, 0] })], { seconds: egtsSecond(90) });
    await sendRecords(link, [told]);
    expect((await storedOf(world, bus)).events).toEqual([[60, 1, 'entered', 2]]);
  });

  it('are readings of a counter at that time, too', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const link = await world.egts.open();
    const shows = (second: number, entered: number) =>
      record(bus.object, [lost(NEVER), people({ 1: [entered, 0] })], {
        seconds: egtsSecond(second),
      });
    expect((await sendRecords(link, [shows(5, 7), shows(8, 9)])).records).toEqual([0, 0]);
    expect((await storedOf(world, bus)).events).toEqual([[8, 1, 'entered', 2]]);
  });
});

it('people whose time nothing tells are all kept aside, each once, and count where they are placed', async () => {
  const bus = await world.freshBus();
  const link = await world.egts.open();
  const { database, clock } = world.server.deps;
  const told = [people({ 1: [2, 0] }), people({ 1: [2, 0] }), people({ 1: [5, 0] })].map((counts) =>
    record(bus.object, [lost(NEVER), counts, people({ 1: [1, 0] }, 2)], { seconds: 3 }),
  );
  for (const _again of [1, 2]) {
    expect((await sendRecords(link, told)).records).toEqual([0, 0, 0]);
    expect(await asideOf(bus)).toHaveLength(6);
  }
  const aside = await asideOf(bus);
  const times = new Map(aside.map(({ seq }) => [seq, EGTS_DAY_MS + 60_000]));
  const placing = { streamId: aside[0]?.stream_id ?? 0, times };
  await makeRoom(database, bus.unitId, placing);
  await database.db
    .transaction()
    .execute((tx) => placeAside(tx, bus.unitId, placing, clock.nowMs()));
  expect((await sendRecords(link, told)).records).toEqual([0, 0, 0]);
  expect(await asideOf(bus)).toEqual([]);
  expect((await storedOf(world, bus)).hours).toEqual({ entered: 12, exited: 0 });
});
