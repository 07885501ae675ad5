// Units are looked up for all callers together: guesses of strangers take one connection, and keep no known unit waiting.
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { insertTestBus, insertTestFleet } from '../../test/fleet.ts';
import { createTestServer, UNIT_KNOWN_MS } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { watchLookUps } from '../../test/watched-look-ups.ts';
import { createUnitFinder } from './units.ts';

const world = useWorld(async () => {
  const server = await createTestServer([]);
  const { db } = server.deps.database;
  const { first } = await insertTestFleet(db, 'Europe/Moscow');
  const { unitId } = await insertTestBus(db, first, 'Автобус', 'Europe/Moscow');
  await db
    .updateTable('units')
    .set({ protocol: 'osmand', protocol_id: 'known' })
    .where('id', '=', unitId)
    .execute();
  return { server, unitId, close: () => server.close() };
});

const freshFinder = () => createUnitFinder(world.server.deps, 'osmand', () => ({}));
const guesses = (count: number): string[] => Array.from({ length: count }, (_, n) => `guess-${n}`);

describe('units that are looked up', () => {
  it('by 200 callers at once take two statements, one after the other', async () => {
    const find = freshFinder();
    const lookUps = watchLookUps();
    const asked = [...guesses(199), 'known'].map((id) => find([id]));
    const found = await Promise.all(asked);
    expect(found.map(({ size }) => size)).toEqual([...Array(199).fill(0), 1]);
    expect(found.at(-1)?.get('known')?.unit.unitId).toBe(world.unitId);
    expect(lookUps.ids().map(({ length }) => length)).toEqual([1, 199]);
    expect(lookUps.mostAtOnce()).toBe(1);
  });

  it('are no more than a thousand in a statement, unless one caller asks for more', async () => {
    const find = freshFinder();
    const lookUps = watchLookUps();
    await Promise.all([find(['first']), ...guesses(1500).map((id) => find([id]))]);
    expect(lookUps.ids().map(({ length }) => length)).toEqual([1, 1000, 500]);
    expect((await find([...guesses(2000), 'known'])).size).toBe(1);
    // Those of no unit are remembered, too.
    expect(lookUps.ids().at(-1)).toHaveLength(501);
  });

  it('go before guesses once they were found', async () => {
    const find = freshFinder();
    await find(['known']);
    world.server.clock.advance(UNIT_KNOWN_MS);
    const lookUps = watchLookUps();
    await Promise.all([find(['first']), ...guesses(1500).map((id) => find([id])), find(['known'])]);
    expect(lookUps.ids().map((ids) => ids.includes('known'))).toEqual([false, true, false]);
  });

  it('are remembered whatever others guess', async () => {
    const find = freshFinder();
    await find(['known']);
    const lookUps = watchLookUps();
    await find(Array.from({ length: 60_000 }, (_, n) => `guess-${n}`));
    expect((await find(['known'])).size).toBe(1);
    expect(lookUps.ids().flat()).not.toContain('known');
  });

  it('of a caller that is gone are not looked up', async () => {
    const find = freshFinder();
    const lookUps = watchLookUps();
    const gone = new AbortController();
    const first = find(['first']);
    const left = find(['left'], gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await first;
    await expect(find(['later'], gone.signal)).rejects.toThrow('gone');
    expect(lookUps.ids()).toEqual([['first']]);
  });

  it('fail only for the caller whose id the database cannot read', async () => {
    const find = freshFinder();
    const asked = [find(['first']), find(['\0']), find(['known'])];
    const [, faulty, known] = await Promise.allSettled(asked);
    expect(faulty?.status).toBe('rejected');
    expect(known).toMatchObject({ status: 'fulfilled', value: { size: 1 } });
  });

  it('fail at once for all who wait when the database is away, and not after it', async () => {
    const find = freshFinder();
    const lookUps = watchLookUps();
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(() => {
      throw away;
    });
    const [one, other] = await Promise.allSettled([find(['one']), find(['other'])]);
    expect([one?.status, other?.status]).toEqual(['rejected', 'rejected']);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(lookUps.ids()).toEqual([]);
    expect((await find(['known'])).size).toBe(1);
  });
});
