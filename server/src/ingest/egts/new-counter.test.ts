// A unit gets another device or another way to count: what the counters of the old one showed is no measure for the new one.
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
import { askJson } from '../../test/requests.ts';
import { UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { countNumber } from '../by-id/numbers.ts';
import { createUnitFinder, type UnitById } from '../by-id/units.ts';
import { recordStoreOf } from '../store/record-store.ts';
import type { CheckedRecord } from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';

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

async function show(object: number, seconds: number, entered: number): Promise<void> {
  const link = await world.egts.open();
  const records = [record(object, [at(seconds), people({ 1: [entered, 0] }, 0x0102)])];
  expect((await sendRecords(link, records)).records).toEqual([0]);
  link.close();
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
