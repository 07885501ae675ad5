// All rows that are found, chosen for one change: as many as it takes.
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
