import { listBoard } from '@ridewatch/contract/board';
import { listBuses } from '@ridewatch/contract/buses';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admin, bus, busList, customer, owner } from '../../test/made.ts';
import { board, boardBus } from '../../test/made-board.ts';
import { ago, figures, fleet, lap, names, rowOf } from '../../test/made-list.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(listBuses, busList(fleet));
  server.answer(listBoard, figures);
});
const open = ({ address = '/buses', user = owner } = {}) => openScreen(server, address, { user });
const scrollTo = (scrollY: number) => {
  Object.defineProperty(window, 'scrollY', { value: scrollY, configurable: true });
  fireEvent.scroll(window);
};
afterEach(() => {
  scrollTo(0);
  vi.restoreAllMocks();
});
async function openMany({ first = 'Б 0$', user = owner } = {}): Promise<void> {
  const many = Array.from({ length: 300 }, (_, n) =>
    bus(n + 1, { name: `Б ${n}`, group_device_id: `rid-${n}` }),
  );
  server.answer(listBuses, busList(many));
  await open({ user });
  await rowOf(first);
}

describe('the board', () => {
  it('says of each bus whether it moves, stands or is off, and since when', async () => {
    await open();
    expect(await (await rowOf('А 472')).findByText('moving')).toBeVisible();
    expect(await (await rowOf('А 472')).findByText('34 km/h')).toBeVisible();
    expect(await (await rowOf('В 110')).findByText('6 min')).toBeVisible();
    expect(await (await rowOf('Запасной')).findByText('1 h 12 min')).toBeVisible();
  });

  it('shows people and load, the place on the lap, and what needs attention', async () => {
    await open();
    const row = await rowOf('А 472');
    expect(await row.findByRole('img', { name: '412 entered' })).toBeVisible();
    expect(row.getByRole('img', { name: '48 inside · 96 % · 50' })).toBeVisible();
    expect(row.getByRole('img', { name: 'lap 6, Мост' })).toBeVisible();
    expect(row.getByText('96 % full')).toBeVisible();
    expect(await (await rowOf('В 110')).findByText('Дверь 9 offline')).toBeVisible();
    expect(await (await rowOf('Запасной')).findByText('no route')).toBeVisible();
  });

  it('says from which day on a bus is another customer’s, and the user’s own', async () => {
    const passing = (until_then: number[]) =>
      bus(1, { name: 'А 472', clients: [21], passes: { from: '2026-03-11', until_then } });
    server.answer(listBuses, busList([passing([20])], [customer(20, 'Север'), customer(21, 'Юг')]));
    await open({ user: admin });
    expect(await screen.findByRole('heading', { name: /^Север/ })).toBeVisible();
    expect(screen.queryByRole('heading', { name: /^Юг/ })).not.toBeInTheDocument();
    expect(await (await rowOf('А 472')).findByText('from 11.03.2026: Юг')).toBeVisible();
    server.answer(listBuses, busList([passing([])], []));
    await open();
    expect(await screen.findByText('yours from 11.03.2026')).toBeVisible();
  });

  it('says that a place on a lap is old', async () => {
    const old = { ...lap, as_of: ago(7) };
    server.answer(listBoard, board([boardBus(1, { lap: old })]));
    await open();
    const place = { name: 'lap 6, Мост · 7 min ago' };
    expect(await (await rowOf('А 472')).findByRole('img', place)).toBeVisible();
  });

  it('shows the details of the buses that a search finds', async () => {
    const { hand } = await open();
    await screen.findByText('34 km/h');
    await hand.type(screen.getByRole('textbox'), '110');
    await waitFor(() => expect(names()).toEqual(['В 110 ОР']));
    const row = await rowOf('В 110');
    await waitFor(() => expect(row.getByText('6 min')).toBeVisible());
    expect(document.querySelector('[data-late]')).toBeNull();
  });

  it('shows names only while the page scrolls too fast to read, and the rest afterwards', async () => {
    await openMany();
    scrollTo(1);
    scrollTo(5000);
    const row = (await screen.findByRole('link', { name: 'Б 150' })).closest('article');
    expect(row).toHaveAttribute('data-late');
    await waitFor(() => expect(row).not.toHaveAttribute('data-late'));
    expect(await within(row as HTMLElement).findByText('0 s ago')).toBeVisible();
  });

  it('shows names only as long as the page scrolls too fast to read', async () => {
    await openMany();
    await waitFor(() => expect(document.querySelector('[data-late]')).toBeNull());
    scrollTo(1);
    for (let step = 1; step <= 10; step += 1) {
      scrollTo(step * 900);
      expect(screen.getByRole('link', { name: `Б ${step * 25}` })).toBeVisible();
      expect(document.querySelectorAll('article:not([data-late])')).toHaveLength(0);
    }
    scrollTo(0);
    await rowOf('Б 0$');
    await waitFor(() => expect(document.querySelector('[data-late]')).toBeNull());
  });

  it('shows the details of all rows in view after Back, where the page was scrolled', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect(0, -window.scrollY, 1000, 600),
    );
    scrollTo(5000);
    await openMany({ first: 'Б 150$' });
    await waitFor(() => expect(document.querySelector('[data-late]')).toBeNull());
    expect((await rowOf('Б 150$')).getByText('0 s ago')).toBeVisible();
  });

  it('keeps its rows in their order for the tabulator, whichever way the page scrolls', async () => {
    await openMany();
    for (const [top, first] of [
      [360, 'Б 7'],
      [900, 'Б 22'],
      [720, 'Б 17'],
      [9000, 'Б 247'],
    ] as const) {
      scrollTo(top);
      await waitFor(() => expect(names()[0]).toBe(first));
      const from = Number(first.replace('Б ', ''));
      expect(names()).toEqual(names().map((_, at) => `Б ${from + at}`));
    }
  });

  it('does not move the focus to another bus when a row scrolls out of sight', async () => {
    await openMany();
    screen.getByRole('link', { name: 'Б 3' }).focus();
    scrollTo(36);
    expect(screen.getByRole('link', { name: 'Б 3' })).toHaveFocus();
    scrollTo(5000);
    await screen.findByRole('link', { name: 'Б 150' });
    expect(document.body).toHaveFocus();
  });

  it.each(['link', 'button'])(
    'does not move the focus of a %s to another bus when the rows show others',
    async (control) => {
      await openMany({ user: admin });
      const found = await (await rowOf('Б 3$')).findByRole(control);
      found.focus();
      expect(found).toHaveFocus();
      fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Б 1' } });
      await waitFor(() => expect(names()).not.toContain('Б 3'));
      expect(document.body).toHaveFocus();
    },
  );

  it('says what the filter of attention leaves out', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Attention 2' }));
    expect(screen.getByText(/Reviews and missing prices are notes/)).toBeVisible();
  });

  it('filters by a chip that names its number of buses, and keeps it in the address', async () => {
    const { hand, address } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Off 1' }));
    await waitFor(() => expect(names()).toEqual(['Запасной']));
    await waitFor(() => expect(address()).toContain('show=off'));
    await hand.click(screen.getByRole('button', { name: 'All 3' }));
    await waitFor(() => expect(names()).toHaveLength(3));
  });

  it('says that no bus is in the state of the filter', async () => {
    server.answer(listBoard, board(fleet.map(({ id }) => boardBus(id))));
    const { hand } = await open({ address: '/buses?show=moving' });
    await hand.click(await screen.findByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(names()).toHaveLength(3));
  });

  it('puts first what needs attention, each bus with its route', async () => {
    const { hand, address } = await open();
    const button = screen.getByTitle('Most important first: Attention');
    await screen.findByText('moving');
    await hand.click(button);
    await waitFor(() => expect(names()[0]).toBe('В 110 ОР Маршрут 5'));
    expect(address()).toContain('sort=attention');
    await hand.click(button);
    expect(await screen.findByRole('heading', { name: 'Маршрут 5 2' })).toBeVisible();
  });

  it('goes from bus to bus by the arrows', async () => {
    const { hand } = await open();
    await rowOf('А 472');
    await hand.click(screen.getByRole('textbox'));
    await hand.keyboard('{ArrowDown}');
    expect(screen.getByRole('link', { name: 'Запасной' })).toHaveFocus();
    await hand.keyboard('{ArrowDown}');
    expect(screen.getByRole('link', { name: 'А 472 КМ' })).toHaveFocus();
    await hand.keyboard('{ArrowUp}');
    expect(screen.getByRole('link', { name: 'Запасной' })).toHaveFocus();
  });

  it('shows tiles instead, with the same figures', async () => {
    const { hand } = await open();
    await screen.findByText('moving');
    await hand.click(screen.getByRole('button', { name: 'Tiles' }));
    expect((await rowOf('А 472')).getByText('412 entered')).toBeVisible();
    expect((await rowOf('В 110')).getByText('Дверь 9 offline')).toBeVisible();
  });

  it('shows the same figures on a phone', async () => {
    await openScreen(server, '/buses', { user: owner, device: 'phone' });
    expect(await (await rowOf('А 472')).findByText('412 entered')).toBeVisible();
  });
});
