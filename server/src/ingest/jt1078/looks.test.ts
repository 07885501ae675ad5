// Looks at terminals that do not answer, have moved, or record.
import { expect, it, vi } from 'vitest';
import { insertAnnouncedFragment } from '../../test/announced-fragment.ts';
import { RECORDED_MS } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import type { AskForFiles } from './ask-for-files.ts';
import { createLooks } from './looks.ts';
import { createStoreTerminalRecords, type StoreTerminalRecords } from './terminal-records.ts';
import { SILENCE } from './terminal-words.ts';

const world = useWorld(createRegistrarWorld);

/** Looks once. @returns what the terminal is asked, which answers so */
async function lookAt(
  { unitId }: RegistrarBus,
  answers: Awaited<ReturnType<AskForFiles>>[],
  storeTold: StoreTerminalRecords = async () => undefined,
) {
  const { deps, clock } = world.server;
  const ask = vi.fn<AskForFiles>(async () => SILENCE);
  for (const answer of answers) ask.mockResolvedValueOnce(answer);
  const config = { ...deps.config, ftpPort: world.ftpPort };
  const terminals = { has: () => true };
  const looks = createLooks({ ...deps, config }, terminals, storeTold, ask);
  looks.greet(unitId);
  clock.advance(60_000);
  await looks.look(unitId, async () => false);
  return ask.mock.calls;
}

it.each([
  ['ends after three channels when its terminal answers nothing', [SILENCE], 3],
  ['goes on when its terminal lacks some channels', [SILENCE, SILENCE, []], 6],
] as const)('a look %s', async (_, answers, asked) => {
  const bus = await world.freshBus();
  const { db } = world.server.deps.database;
  const keys = ['ch4', 'ch5', 'ch6', 'ch7'].map((stream_id) => ({
    ...{ workplace_id: bus.busId, name: stream_id, stream_id, live: false, door: null },
  }));
  await db.insertInto('cameras').values(keys).execute();
  expect(await lookAt(bus, [...answers])).toHaveLength(asked);
});

it('a look at a unit that is back in a bus goes no further back than its return', async () => {
  const bus = await world.freshBus();
  const { database, clock } = world.server.deps;
  await insertAnnouncedFragment(database.db, bus);
  const [backMs, listedMs] = [clock.nowMs() - 10 * 60_000, clock.nowMs() - 20 * 60_000];
  await database.db
    .updateTable('units')
    .set({ assigned_from: new Date(backMs), listed_until: new Date(listedMs) })
    .where('id', '=', bus.unitId)
    .execute();
  const asked = await lookAt(bus, [[], [], []]);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.map(([, , { startMs }]) => startMs)).toEqual(asked.map(() => listedMs));
});

it('a look has the main stream also of the time at which an earlier one found it being written', async () => {
  const bus = await world.freshBus();
  const { deps, clock } = world.server;
  const atMinute = (minute: number): number => beganMs + minute * 60_000;
  const fileOf = (stream: number, from: number, to: number) => ({
    ...{ startMs: atMinute(from), endMs: atMinute(to), sizeBytes: 9, media: 0, stream, storage: 1 },
  });
  const beganMs = Math.ceil(clock.nowMs() / 60_000) * 60_000 - 30 * 60_000;
  const subs = [0, 5, 10, 15, 20].map((from) => fileOf(2, from, from + 5));
  const found = async (...mains: ReturnType<typeof fileOf>[]) => {
    await lookAt(bus, [[...subs, ...mains], [], []], createStoreTerminalRecords(deps));
    return (await world.fragments(bus)).map(({ from, to }) => [
      ...[from, to].map((minute) => minute - (beganMs - RECORDED_MS) / 60_000),
    ]);
  };
  // The main stream begins later, and is written still.
  expect(await found(fileOf(1, 7, 1000))).toEqual([
    [0, 5],
    [5, 7],
  ]);
  clock.advance(15 * 60_000);
  expect(await found(fileOf(1, 7, 40))).toEqual([
    [0, 5],
    [5, 7],
    [7, 40],
  ]);
});
