// A counter's last reading is no measure for the next one when its unit gets another device or another way to count, moves
// to another bus, or is silent for more than a day. A unit has room for so many counters.
import { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { describe, expect, it } from 'vitest';
import { addAdministration } from '../../administration/api.ts';
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
import { deleteTestUnit } from '../../test/fleet.ts';
import { askJson } from '../../test/requests.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { countNumber } from '../by-id/numbers.ts';
import { createUnitFinder, type UnitById } from '../by-id/units.ts';
import { MAX_COUNTERS } from '../store/bounds.ts';
import { recordStoreOf } from '../store/record-store.ts';
import type { CheckedRecord } from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { RESULT } from './codes.ts';

const world = useWorld(() => createEgtsWorld([addAdministration]));

async function change({ unitId }: EgtsBus, ...bodies: readonly object[]): Promise<void> {
  const token = await world.server.signIn('admin');
  for (const body of bodies) {
    const url = `/api/admin/units/${unitId}`;
    const { status } = await askJson(world.server, token, 'PUT', url, body);
    expect([body, status]).toEqual([body, 200]);
  }
  world.server.clock.advance(UNIT_KNOWN_MS);
}

/** Sends what door 1 shows at seconds, in one packet. */
async function showAll(object: number, shown: readonly (readonly [number, number])[]) {
  const link = await world.egts.open();
  const records = shown.map(([seconds, entered]) =>
    record(object, [at(seconds), people({ 1: [entered, 0] }, 0x0102)]),
  );
  expect(new Set((await sendRecords(link, records)).records)).toEqual(new Set([RESULT.ok]));
  link.close();
}
const show = (object: number, seconds: number, entered: number) =>
  showAll(object, [[seconds, entered]]);

/** The second of the day at which the clock stands. */
const nowS = (): number => Math.floor((world.server.clock.nowMs() - EGTS_DAY_MS) / 1000);

/** A bus without a unit. */
async function emptyBus(): Promise<EgtsBus> {
  const bus = await world.freshBus();
  await deleteTestUnit(world.server.deps.database.db, bus.unitId);
  return bus;
}
const moveTo = (bus: EgtsBus, seconds: number) => ({
  bus_id: bus.busId,
  moved_from: new Date(EGTS_DAY_MS + seconds * 1000).toISOString(),
});

/** The people of a bus by unit and hour. */
async function peopleIn({ busId }: EgtsBus): Promise<number> {
  const { rows } = await world.server.deps.database.pool.query<{ people: number }>(
    'select coalesce(sum(entered_adults), 0)::int as people from hourly_traffic where workplace_id = $1',
    [busId],
  );
  return rows[0]?.people ?? 0;
}

describe('a counter that never starts anew', () => {
  it.each<[string, number, (object: number) => readonly object[]]>([
    ['of another device', 100_000, (object) => [{ protocol_id: `${object + 100_000}` }]],
    [
      'of a unit that spoke another protocol for a while',
      0,
      (object) => [
        { protocol: 'jt808', protocol_id: '13912345678' },
        { protocol: 'egts', protocol_id: `${object}` },
      ],
    ],
    [
      'of a unit that counted who came for a while',
      0,
      () => [{ egts_counts: 'delta' }, { egts_counts: 'cumulative' }],
    ],
    [
      'whose number is read in another order for a while',
      0,
      () => [{ egts_module_bytes: 'big' }, { egts_module_bytes: 'little' }],
    ],
  ])('%s begins with its first reading', async (_, added, changes) => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const { object } = bus;
    await show(object, 0, 200);
    await show(object, 10, 205);
    await change(bus, ...changes(object));
    await show(object + added, 20, 90);
    await show(object + added, 30, 92);
    expect((await storedOf(world, bus)).events).toEqual([
      [10, 1, 'entered', 5],
      [30, 1, 'entered', 2],
    ]);
  });

  it('of another device begins with its first reading although a process still takes the old one for the unit', async () => {
    const { deps } = world.server;
    const bus = await world.freshBus({ counts: 'cumulative' });
    const { object } = bus;
    await show(object, 0, 200);
    const units = await createUnitFinder(deps, 'egts', EgtsSettings.parse)([`${object}`]);
    await change(bus, { protocol_id: `${object + 100_000}` });
    const [timeMs, door] = [EGTS_DAY_MS + 10_000, { module: 0x0102, door: 1 }];
    const counted = { ...door, direction: 'entered' } as const;
    const reading: CheckedRecord = {
      ...counted,
      ...{ index: 0, type: 'passenger', passenger: 'adult', count: 205 },
      ...{ seq: countNumber({ ...counted, timeMs }), sentMs: timeMs, timeMs },
    };
    const late = recordStoreOf(deps).store(
      (units.get(`${object}`) as UnitById<unknown>).unit,
      TIMED_STREAM,
      [reading],
      world.server.clock.nowMs(),
    );
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    await show(object + 100_000, 20, 90);
    await show(object + 100_000, 30, 92);
    expect((await storedOf(world, bus)).events).toEqual([[30, 1, 'entered', 2]]);
  });

  it('goes on after a change of anything else', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    await show(bus.object, 0, 200);
    await change(bus, { device_id: `renamed-${bus.object}`, egts_raw_flag: 'high' });
    await show(bus.object, 10, 205);
    expect((await storedOf(world, bus)).events).toEqual([[10, 1, 'entered', 5]]);
  });
});

describe('a unit whose counter never starts anew', () => {
  it('brings nobody to a new bus by its first reading there', async () => {
    const [bus, next] = [await world.freshBus({ counts: 'cumulative' }), await emptyBus()];
    await showAll(bus.object, [
      [0, 200],
      [10, 205],
    ]);
    await change(bus, moveTo(next, 15));
    await show(bus.object, 20, 90);
    await show(bus.object, 30, 92);
    expect(await storedOf(world, bus)).toMatchObject({
      events: [
        [10, 1, 'entered', 5],
        [30, 1, 'entered', 2],
      ],
    });
    expect([await peopleIn(bus), await peopleIn(next)]).toEqual([5, 2]);
  });

  it('that was in another bus for a while counts for each bus in its time, in one packet too', async () => {
    const [bus, next] = [await world.freshBus({ counts: 'cumulative' }), await emptyBus()];
    await show(bus.object, 0, 200);
    await change(bus, moveTo(next, 15), moveTo(bus, 25));
    await showAll(bus.object, [
      [30, 104],
      [10, 205],
      [16, 50],
      [26, 100],
      [20, 53],
    ]);
    expect((await storedOf(world, bus)).events).toEqual([
      [10, 1, 'entered', 5],
      [20, 1, 'entered', 3],
      [30, 1, 'entered', 4],
    ]);
    expect([await peopleIn(bus), await peopleIn(next)]).toEqual([9, 3]);
  });

  it('begins with its first reading after more than a day of silence', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const begin = nowS();
    const later = (days: number, seconds = 0): number => begin + days * 86_400 + seconds;
    await show(bus.object, begin, 200);
    world.server.clock.advance(3 * 86_400_000);
    await showAll(bus.object, [
      [later(1), 205],
      [later(2, 1), 210],
      [later(2, 2), 212],
    ]);
    expect((await storedOf(world, bus)).events).toEqual([
      [later(1), 1, 'entered', 5],
      [later(2, 2), 1, 'entered', 2],
    ]);
  });

  it('has readings of more counters than a bus can have refused, until it is silent about others for a day', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const begin = nowS();
    const link = await world.egts.open();
    const doors = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8].map((door) => [door, [3, 3]] as const),
    );
    const modules = Array.from({ length: MAX_COUNTERS / 16 }, (_, n) => people(doors, n));
    const other = (value: number) => people({ 1: [value, value] }, 0xff00);
    const send = async (...moments: Parameters<typeof record>[1][]) =>
      (
        await sendRecords(
          link,
          moments.map((one) => record(bus.object, one)),
        )
      ).records;
    expect(await send([at(begin), ...modules])).toEqual([RESULT.ok]);
    // The rest of the record, and the counters that are known, are as ever.
    const full = [at(begin + 1), other(1), people({ 1: [5, 3] }, 0)];
    expect(await send(full)).toEqual([RESULT.noRoom]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [begin, begin + 1],
      events: [[begin + 1, 1, 'entered', 2]],
    });
    world.server.clock.advance(2 * 86_400_000);
    const nextDay = begin + 86_400 + 2;
    expect(await send([at(nextDay), other(5)], [at(nextDay + 1), other(6)])).toEqual([0, 0]);
    expect((await storedOf(world, bus)).events).toEqual([
      [begin + 1, 1, 'entered', 2],
      [nextDay + 1, 1, 'entered', 1],
      [nextDay + 1, 1, 'exited', 1],
    ]);
    link.close();
  });
});
