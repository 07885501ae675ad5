// Looks after commands whose notifications were lost.
import type { CommandKind } from '@ridewatch/contract/unit-commands';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertCommand } from '../../fetching/commands.ts';
import { DEPOT_WAIT_MS } from '../../fetching/waits.ts';
import { insertTestBus, insertTestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { createCommandLooks } from './open-commands.ts';

const KINDS = ['start_live', 'fetch_segment'] as const satisfies CommandKind[];
const UNITS = 5;
let server: TestServer;
const unitIds: number[] = [];
beforeAll(async () => {
  server = await createTestServer([]);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db);
  for (let n = 0; n < UNITS; n += 1) {
    unitIds.push((await insertTestBus(db, first, `Автобус ${n}`)).unitId);
  }
});
afterAll(() => server.close());

const looks = (here: readonly number[], mostUnits?: number) =>
  createCommandLooks(server.deps, { unitIds: () => [...here] }, KINDS, mostUnits);
const command = (unitId = 0, kind: CommandKind = 'start_live', createdMs = server.clock.nowMs()) =>
  insertCommand(server.deps.database.db, { unitId, kind, createdMs });

describe('a look at open commands', () => {
  it('names each kind of a unit once, and nothing that is finished, expired, of another kind or of a unit elsewhere', async () => {
    const [one = 0, expired, finished, other, elsewhere] = unitIds;
    for (const kind of ['fetch_segment', 'fetch_segment', 'start_live'] as const) {
      await command(one, kind);
    }
    await command(expired, 'start_live', server.clock.nowMs() - DEPOT_WAIT_MS - 1);
    const id = await command(finished);
    await server.deps.database.db
      .updateTable('unit_commands')
      .set({ finished_at: new Date(server.clock.nowMs()), result: 'done' })
      .where('id', '=', id)
      .execute();
    await command(other, 'fetch_range');
    await command(elsewhere);
    const here = unitIds.filter((unitId) => unitId !== elsewhere);
    const found = await looks(here)();
    expect(found.sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { unitId: one, kind: 'fetch_segment' },
      { unitId: one, kind: 'start_live' },
    ]);
    expect(await looks([])()).toEqual([]);
  });

  it('takes so many units at a time, and all of them in turn', async () => {
    for (const unitId of unitIds) await command(unitId);
    const here = [...unitIds].reverse();
    const look = looks(here, 2);
    const next = async () => {
      const found = await look();
      const live = found.filter(({ kind }) => kind === 'start_live');
      return live.map(({ unitId }) => unitId).sort((x, y) => x - y);
    };
    const [a, b, c, d, e] = unitIds;
    expect(await next()).toEqual([a, b]);
    // One leaves that has had its look.
    here.pop();
    expect(await next()).toEqual([c, d]);
    expect(await next()).toEqual([e]);
    expect(await next()).toEqual([b, c]);
  });

  it('after lost notifications takes all units at once', async () => {
    for (const unitId of unitIds) await command(unitId);
    const found = await looks(unitIds, 2)('all');
    const live = found.filter(({ kind }) => kind === 'start_live');
    expect(live.map(({ unitId }) => unitId).sort((x, y) => x - y)).toEqual(unitIds);
  });

  it('that fails is repeated for the same units', async () => {
    const here = unitIds.slice(0, 2);
    for (const unitId of here) await command(unitId);
    const { clock } = server.deps;
    const nowMs = vi.fn(clock.nowMs).mockImplementationOnce(() => {
      throw new Error('away');
    });
    const look = createCommandLooks(
      { ...server.deps, clock: { ...clock, nowMs } },
      { unitIds: () => here },
      ['start_live'],
      1,
    );
    await expect(look()).rejects.toThrow('away');
    expect(await look()).toMatchObject([{ unitId: here[0] }]);
  });
});
