// Rows that are chosen for one change: all that are found, as many as it takes; ranges; and what ends a choice.
import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatNumber } from '../../i18n/format.ts';
import { answerFleet, madeBus, openSection } from '../../test/made-admin.ts';
import { freshServer } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';
import type { ListQuery } from './section.ts';
import type { Rows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  answerFleet(server);
});

/** Opens so many buses and chooses all. @returns the box of the head, and what the bar says */
async function chooseAll(total: number) {
  const buses = Array.from({ length: total }, (_, at) => ({
    ...{ ...madeBus, id: at + 1, name: `А ${at + 1}` },
  }));
  server.answer(listAdminBuses, ({ query }) => {
    const [number, size] = [Number(query.get('page') ?? 0), Number(query.get('perPage') ?? 50)];
    return { items: buses.slice(number * size, (number + 1) * size), number, total };
  });
  const { hand } = await openSection(server, 'buses');
  const box = await screen.findByRole('checkbox', { name: /^Choose (all|the first)/ });
  await hand.click(box);
  const bar = within(await screen.findByRole('region', { name: /chosen rows/ }));
  return { box, said: bar.getByRole('status').textContent };
}

describe('all rows that are found', () => {
  it('are as many as one change takes; box and bar say so, and how to change more', async () => {
    const { box, said } = await chooseAll(MOST_SEVERAL + 1);
    const [most, total] = [MOST_SEVERAL, MOST_SEVERAL + 1].map(formatNumber);
    const first = `Choose the first ${most} rows: no more can be changed at once`;
    expect(box).toHaveAccessibleName(first);
    expect(box).toHaveAttribute('title', first);
    expect(said).toBe(
      `${most} chosen. ${total} rows match, and no more than ${most} can be changed at once. ` +
        'Change the others in parts by a filter, or by “Load a table”',
    );
  });

  it('are all of them when one change takes them', async () => {
    const { box, said } = await chooseAll(MOST_SEVERAL);
    expect(box).toHaveAccessibleName('Choose all rows');
    expect(said).toBe(`${formatNumber(MOST_SEVERAL)} chosen`);
  });
});

it('a range has the rows, too, that were passed out of view and are not loaded', async () => {
  const rowOf = (index: number) => ({ id: index + 1 });
  const isLoaded = (index: number) => index < 100 || index >= 400;
  const rows = { rowAt: (index: number) => (isLoaded(index) ? rowOf(index) : undefined) };
  const list = async ({ page: number = 0, perPage: size = 0 }: ListQuery) => ({
    items: Array.from({ length: Number(size) }, (_, at) =>
      rowOf(Number(number) * Number(size) + at),
    ),
    total: 450,
  });
  const query = {};
  const { result } = renderHook(() => useSelection(rows as Rows<{ id: number }>, list, query));
  act(() => result.current.toggle(410, false));
  act(() => result.current.toggle(50, true));
  await waitFor(() => expect(result.current.rows.size).toBe(361));
  expect([...result.current.rows.keys()].sort((a, b) => a - b).at(0)).toBe(51);
});

describe('another search, filter or order', () => {
  const rows = { rowAt: (index: number) => ({ id: index + 1 }) } as Rows<{ id: number }>;
  const open = () =>
    renderHook(
      (query: ListQuery) => useSelection(rows, async () => ({ items: [], total: 0 }), query),
      { initialProps: {} },
    );

  it('forgets the row that Shift chose from', () => {
    const { result, rerender } = open();
    act(() => result.current.toggle(23, false));
    rerender({ sortBy: 'client' });
    act(() => result.current.toggle(3, true));
    expect([...result.current.rows.keys()]).toEqual([4]);
    act(() => result.current.toggle(5, true));
    expect([...result.current.rows.keys()]).toEqual([4, 5, 6]);
  });

  it('takes no answer that the former one still waited for', async () => {
    let answer = (_page: { items: { id: number }[]; total: number }): void => undefined;
    const list = () => new Promise<Parameters<typeof answer>[0]>((resolve) => (answer = resolve));
    const { result, rerender } = renderHook((query: ListQuery) => useSelection(rows, list, query), {
      initialProps: {},
    });
    act(() => result.current.toggleAll());
    rerender({ sortBy: 'client' });
    rerender({});
    await act(async () => answer({ items: [{ id: 1 }], total: 1 }));
    expect(result.current.rows.size).toBe(0);
  });

  it('chooses none, also when the former one returns', () => {
    const { result, rerender } = open();
    act(() => result.current.toggle(23, false));
    rerender({ sortBy: 'client' });
    rerender({});
    expect(result.current.rows.size).toBe(0);
    act(() => result.current.toggle(3, true));
    expect([...result.current.rows.keys()]).toEqual([4]);
  });
});

it('rows that are left out are those that were named, whatever was chosen since', () => {
  const rows = { rowAt: (index: number) => ({ id: index + 1 }) } as Rows<{ id: number }>;
  const query = {};
  const list = async () => ({ items: [], total: 0 });
  const { result } = renderHook(() => useSelection(rows, list, query));
  act(() => result.current.toggle(0, false));
  const { leave } = result.current;
  act(() => result.current.toggle(1, false));
  act(() => leave(new Set([1])));
  expect([...result.current.rows.keys()]).toEqual([2]);
});
