// Looks at terminals that do not answer.
import { expect, it, vi } from 'vitest';
import { insertAnnouncedFragment } from '../../test/announced-fragment.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import type { AskForFiles } from './ask-for-files.ts';
import { createLooks } from './looks.ts';
import { SILENCE } from './terminal-words.ts';

const world = useWorld(createRegistrarWorld);

/** Looks once. @returns what the terminal is asked, which answers so */
async function lookAt({ unitId }: RegistrarBus, answers: Awaited<ReturnType<AskForFiles>>[]) {
  const { deps, clock } = world.server;
  const ask = vi.fn<AskForFiles>(async () => SILENCE);
  for (const answer of answers) ask.mockResolvedValueOnce(answer);
  const config = { ...deps.config, ftpPort: world.ftpPort };
  const terminals = { has: () => true };
  const looks = createLooks({ ...deps, config }, terminals, async () => undefined, ask);
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
