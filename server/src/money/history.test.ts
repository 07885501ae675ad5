import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalculator, DAY, valuesIn } from '../test/calculator.ts';
import { announce } from '../test/video.ts';

let world: Awaited<ReturnType<typeof createCalculator>>;
beforeAll(async () => {
  world = await createCalculator();
});
afterAll(() => world.server.close());

const at = (time: string): string => `${DAY}T${time}:00Z`;
const iso = (time: string): string => new Date(at(time)).toISOString();
const DAY_BEFORE = '2026-11-19';

describe('the history of a day', () => {
  it('has each change with who, when, from what and to what, the latest first', async () => {
    const bus = await world.newBus();
    await world.save(bus, { fare: '45' }, { day: DAY_BEFORE });
    await world.send(bus, [[at('06:00'), 1]]);
    await world.save(bus, { fare: '46', driver: 'Иванов' });
    await world.save(bus, { shift_start: at('05:00') }, { login: 'first' });
    const history = await world.history(bus);
    const { total, created } = history;
    const items = valuesIn(history);
    const row = ({ field, before: had, after, by, source, version }: (typeof items)[number]) =>
      [field, had, after, by, source, version] as const;
    expect(items.map(row).slice(0, 1)).toEqual([
      ['shift_start', null, '2026-11-20T05:00:00.000Z', 'first', 'hand', 2],
    ]);
    expect(new Set(items.map(row).slice(1))).toEqual(
      new Set([
        ['fare', '45.00', '46.00', 'operator', 'hand', 1],
        ['driver', null, 'Иванов', 'operator', 'hand', 1],
      ]),
    );
    expect([total, created?.fare, created?.copied_from]).toEqual([3, '45.00', DAY_BEFORE]);
  });

  it('comes in pages', async () => {
    const bus = await world.newBus();
    for (let n = 1; n <= 5; n += 1) await world.save(bus, { fare: `${n}` });
    const pages = await Promise.all(
      [0, 1, 2].map((page) => world.history(bus, DAY, `&page=${page}&perPage=2`)),
    );
    expect(pages.map((page) => valuesIn(page).map(({ after }) => after))).toEqual([
      ['5.00', '4.00'],
      ['3.00', '2.00'],
      ['1.00'],
    ]);
    expect(pages.map(({ number, total }) => [number, total])).toEqual([
      ...[0, 1, 2].map((number) => [number, 5]),
    ]);
  });

  it('has the manual counts of its fragments among the values, in order of time and page by page', async () => {
    const bus = await world.newBus();
    const shownAt = async (time: string, action: () => Promise<unknown>) => {
      world.server.clock.set(Date.parse(at(time)));
      await action();
    };
    const { fragmentId } = await announce(world.server, bus, Date.parse(at('05:20')), 'kept');
    const evening = await announce(world.server, bus, Date.parse(at('05:20')) - 86_400_000, 'kept');
    const count = (login: string, id: number, adult: number | null, kids: number | null = null) =>
      world.ask(login, 'POST', `/api/segments/update-events/${id}`, {
        entered_manual: { adult, kids },
        exited_manual: { adult: null, kids: null },
      });
    await shownAt('10:00', () => world.save(bus, { fare: '45' }));
    await shownAt('10:01', () => count('operator', fragmentId, 7));
    await shownAt('10:02', () => count('admin', fragmentId, 7, 2));
    await shownAt('10:03', () => world.save(bus, { fare: '46' }));
    // The same again, another day's, and nothing instead of nothing are no changes of this day.
    await shownAt('10:04', () => count('admin', fragmentId, 7, 2));
    await shownAt('10:04', () => count('admin', evening.fragmentId, 1));
    await shownAt('10:05', () => count('operator', fragmentId, null));
    await shownAt('10:06', () => count('admin', fragmentId, null));
    const pages = [0, 1].map((page) => world.history(bus, DAY, `&page=${page}&perPage=3`));
    const [first, second] = await Promise.all(pages);
    expect([first?.total, second?.total]).toEqual([5, 5]);
    const ofFragment = { kind: 'count', segment_id: fragmentId, door: 1, time: iso('05:20') };
    const entered = (before: number | null, after: number | null) => ({
      ...{ side: 'entered', before, after },
    });
    const kids = (before: number | null, after: number | null) => ({
      ...{ side: 'entered_kids', before, after },
    });
    expect(first?.items).toMatchObject([
      { ...ofFragment, at: iso('10:05'), by: 'operator', sides: [entered(7, null), kids(2, null)] },
      { kind: 'value', at: iso('10:03'), field: 'fare', after: '46.00' },
      { ...ofFragment, at: iso('10:02'), by: 'admin', sides: [kids(null, 2)] },
    ]);
    expect(second?.items).toMatchObject([
      { ...ofFragment, at: iso('10:01'), by: 'operator', sides: [entered(null, 7)] },
      { kind: 'value', at: iso('10:00'), field: 'fare', after: '45.00' },
    ]);
  });
});
