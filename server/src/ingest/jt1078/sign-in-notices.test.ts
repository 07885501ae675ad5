// Processes tell each other which terminals have signed in, also when one of them has lost the database in between.
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../core/db/listen.ts';
import type { Deps } from '../../deps.ts';
import { openFarDatabase } from '../../test/database-link.ts';
import { createJt808World } from '../../test/jt808.ts';
import { ofAnotherProcess } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createTerminals, type Terminals } from '../jt808/terminals.ts';
import { createSignInNotices } from './sign-in-notices.ts';
import { createTerminalCommands } from './terminal-commands.ts';

const WAIT = { timeout: 20_000, interval: 20 };
const world = useWorld(createJt808World);
const ask = async () => undefined;

/** A process. @param own its database, when it is not that of the world @returns where its terminals are */
async function startProcess(own: Partial<Deps> = ofAnotherProcess(world.server)) {
  const deps = { ...world.server.deps, ...own };
  const terminals: Terminals = createTerminals((...one) => commands.greet(...one));
  const commands = createTerminalCommands(deps, terminals);
  await commands.start();
  onTestFinished(() => commands.stop());
  return terminals;
}

const signIn = ({ add }: Terminals, { unitId }: { readonly unitId: number }): void => {
  world.server.clock.advance(1000);
  add(unitId, ask, world.server.clock.nowMs());
};

it('a sign-in while the database is away is told when it is back', async () => {
  const { far, database } = await openFarDatabase(world.server.deps.database.url);
  const [here, there] = [await startProcess(), await startProcess({ database })];
  const bus = await world.freshBus();
  signIn(here, bus);
  far.fallSilent();
  signIn(there, bus);
  // The cameras are looked up at the same time.
  const { pool } = database;
  await vi.waitFor(() => {
    expect(pool.totalCount - pool.idleCount + pool.waitingCount).toBeGreaterThan(1);
  }, WAIT);
  far.speak();
  await vi.waitFor(() => expect(here.has(bus.unitId)).toBe(false), WAIT);
  expect(there.has(bus.unitId)).toBe(true);
});

it('a sign-in that could not be told is told again, though no connection for notifications was lost', async () => {
  const { database } = await openFarDatabase(world.server.deps.database.url);
  const here = await startProcess();
  const { unitId } = await world.freshBus();
  signIn(here, { unitId });
  const failed: unknown[] = [];
  const terminals = { isElsewhere: () => undefined, arrivals: () => [] };
  const run = (work: Promise<void>) => void work.catch((error) => failed.push(error));
  const there = createSignInNotices({ ...world.server.deps, database }, terminals, run, 1);
  onTestFinished(there.stop);
  const away = Object.assign(new Error('too many connections'), { code: '53300' });
  const connection = vi.spyOn(database.db, 'connection').mockImplementation(() => {
    throw away;
  });
  world.server.clock.advance(1000);
  await expect(there.tell([{ unitId, atMs: world.server.clock.nowMs() }])).rejects.toBe(away);
  await vi.waitFor(() => expect(failed.length).toBeGreaterThan(1), WAIT);
  expect(new Set(failed)).toEqual(new Set([away]));
  expect(here.has(unitId)).toBe(true);
  connection.mockRestore();
  await vi.waitFor(() => expect(here.has(unitId)).toBe(false), WAIT);
});

it('a process whose connection for notifications was lost learns of the sign-ins since', async () => {
  const { far, database } = await openFarDatabase(world.server.deps.database.url);
  const [here, there] = [await startProcess({ database }), await startProcess()];
  const told: string[] = [];
  const { deps } = world.server;
  const stop = await listen(deps, 'signed_in_terminals', (payload) => void told.push(payload));
  onTestFinished(stop);
  // More than one notification tells.
  const buses = [...Array(150).keys()].map((n) => ({ unitId: 1_000_000 + n }));
  for (const bus of buses) signIn(here, bus);
  far.fallSilent();
  for (const bus of buses) signIn(there, bus);
  const isTold = ({ unitId }: { readonly unitId: number }): boolean =>
    told.some((payload) => payload.includes(` ${unitId} `));
  await vi.waitFor(() => expect(buses.every(isTold)).toBe(true), WAIT);
  expect(here.unitIds()).toHaveLength(buses.length);
  far.speak();
  await vi.waitFor(() => expect(here.unitIds()).toEqual([]), WAIT);
  expect(there.unitIds()).toHaveLength(buses.length);
});
