// A unit whose counter does not count as its setting says needs attention, until one of the two changes.
import type { Cause } from '@ridewatch/contract/attention';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { addAttention } from '../../attention/api.ts';
import { causesOf, lookForCauses } from '../../test/attention.ts';
import {
  adoptEgts,
  at,
  createEgtsWorld,
  EGTS_DAY_MS,
  type EgtsBus,
  people,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { checkCountersJob } from './check-counters-job.ts';

const world = useWorld(() => createEgtsWorld([addAttention]));

/** Numbers that only grow, by 3 a stop, as the one byte of a counter shows them. */
const growing = (many: number): number[] => [...Array(many).keys()].map((n) => (200 + 3 * n) % 256);
/** Numbers of who came. */
const varying = (many: number): number[] =>
  [...Array(many).keys()].map((n) => [4, 1, 7, 2, 0][n % 5] ?? 0);

/** Numbers of which one change in five is a fall, as of neither. */
const between = (many: number): number[] => [...Array(many).keys()].map((n) => 1 + (n % 5));

// None of them is ahead of the clock, an hour after the beginning of the day.
let second = -15_000;
async function send({ object }: EgtsBus, numbers: readonly number[]): Promise<void> {
  const link = await world.egts.open();
  const records = numbers.map((entered) => {
    second += 10;
    return record(object, [at(second), people({ 1: [entered, 0] })]);
  });
  expect(new Set((await sendRecords(link, records)).records)).toEqual(new Set([0]));
  link.close();
}

const check = () => checkCountersJob(world.server.deps).run({}, {} as never);
/** Causes of a bus that administrators see, as of each minute; others see none. */
async function toldOf({ busId }: EgtsBus, login = 'admin'): Promise<Cause['details'][]> {
  await lookForCauses(world.server);
  const { items } = await causesOf(world.server, await world.server.signIn(login));
  return items
    .filter(
      ({ details, workplace }: Cause) => details.kind === 'odd_counter' && workplace?.id === busId,
    )
    .map(({ details }: Cause) => details);
}
const odd = ({ unitId }: EgtsBus, looks: string) => [
  { kind: 'odd_counter', unit_id: unitId, looks },
];
const setCounts = ({ unitId, object }: EgtsBus, counts: 'delta' | 'cumulative') =>
  adoptEgts(world.server.deps.database.db, unitId, object, { counts });

describe('a counter that only grows, of a unit that is set to who came', () => {
  it('is told to administrators only, and no more once the setting says so', async () => {
    const bus = await world.freshBus();
    await send(bus, growing(60));
    expect(await toldOf(bus)).toEqual([]);
    await check();
    expect(await toldOf(bus)).toEqual(odd(bus, 'cumulative'));
    for (const login of ['first', 'integrator']) expect(await toldOf(bus, login)).toEqual([]);
    await setCounts(bus, 'cumulative');
    // The next look is enough: the check was of another setting.
    expect(await toldOf(bus)).toEqual([]);
    await check();
    world.server.clock.advance(3000);
    await send(bus, growing(60));
    await check();
    expect(await toldOf(bus)).toEqual([]);
  });

  it('is told on while it says nothing new, and not when it sends who came', async () => {
    const bus = await world.freshBus();
    await send(bus, growing(60));
    await check();
    world.server.clock.advance(4 * 86_400_000);
    await check();
    expect(await toldOf(bus)).toEqual(odd(bus, 'cumulative'));
    world.server.clock.advance(-4 * 86_400_000);
    await send(bus, varying(300));
    await check();
    expect(await toldOf(bus)).toEqual([]);
  });
});

it('is told on while its numbers fall too often for one kind and too seldom for the other', async () => {
  const bus = await world.freshBus();
  await send(bus, between(300));
  await check();
  expect(await toldOf(bus)).toEqual([]);
  await send(bus, growing(300));
  await check();
  expect(await toldOf(bus)).toEqual(odd(bus, 'cumulative'));
  await send(bus, between(300));
  await check();
  expect(await toldOf(bus)).toEqual(odd(bus, 'cumulative'));
});

it('is looked for in the months of the last days only', async () => {
  const bus = await world.freshBus();
  const present = second;
  second = (Date.UTC(2026, 4, 20) - EGTS_DAY_MS) / 1000;
  await send(bus, [1, 2, 3]);
  second = present;
  await send(bus, growing(60));
  await world.server.deps.database.db.transaction().execute(async (tx) => {
    await sql`lock table passenger_events_2026_05`.execute(tx);
    await check();
  });
  expect(await toldOf(bus)).toEqual(odd(bus, 'cumulative'));
});

describe('a counter of who came, of a unit that is set to one that only grows', () => {
  it('is told, and no more once the setting says so', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    await send(bus, varying(60));
    await check();
    expect(await toldOf(bus)).toEqual(odd(bus, 'delta'));
    await setCounts(bus, 'delta');
    expect(await toldOf(bus)).toEqual([]);
    await check();
    // Readings of then make no difference to those of later.
    await setCounts(bus, 'cumulative');
    world.server.clock.advance(3000);
    const before = await storedOf(world, bus);
    await send(bus, [90]);
    expect((await storedOf(world, bus)).events).toEqual(before.events);
  });
});

describe('a counter that is as its unit is set', () => {
  it.each([
    ['delta', varying(100)],
    ['cumulative', growing(100)],
  ] as const)('%s is not told', async (counts, numbers) => {
    const bus = await world.freshBus({ counts });
    await send(bus, numbers);
    await check();
    expect(await toldOf(bus)).toEqual([]);
  });

  it('says nothing with a few numbers', async () => {
    const bus = await world.freshBus();
    await send(bus, growing(30));
    await check();
    expect(await toldOf(bus)).toEqual([]);
  });
});
