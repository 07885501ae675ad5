import { searchRoutes } from '@ridewatch/contract/bus-routes';
import { listBuses } from '@ridewatch/contract/buses';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, bus, busList, busRoute, customer, owner, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  const of = (client_id: number) => ({ client_id });
  server.answer(
    searchRoutes,
    page([
      ...[busRoute(1, of(20)), busRoute(2, { ...of(20), deleted: true })],
      ...[busRoute(3, of(21)), busRoute(4, of(21))],
    ]),
  );
  const customers = [customer(20, 'Север'), customer(21, 'Юг'), customer(22, 'Восток')];
  const buses = [
    bus(1, { name: 'Одна цель: без маршрута', group: busRoute(1, of(20)) }),
    bus(2, { name: 'Одна цель: маршрут' }),
    bus(3, { name: 'Без маршрута и другой', clients: [21], group: busRoute(3, of(21)) }),
    bus(4, { name: 'Два маршрута', clients: [21] }),
    bus(5, { name: 'Ни одной', clients: [22] }),
  ];
  server.answer(listBuses, busList(buses, customers));
});

const menus = () =>
  screen
    .queryAllByRole('button', { name: /^Move / })
    .map((button) => button.getAttribute('aria-label'));

describe('the menu by which an administrator moves a bus', () => {
  it('is there for buses with more than one target; a deleted route and those of others are none', async () => {
    await openScreen(server, '/buses', { user: admin });
    expect(await screen.findByRole('link', { name: 'Ни одной' })).toBeVisible();
    await waitFor(() =>
      expect(menus().toSorted()).toEqual(['Move Без маршрута и другой', 'Move Два маршрута']),
    );
  });

  it.each([
    ['Без маршрута и другой', ['To route Маршрут 4', 'Take off the route']],
    ['Два маршрута', ['To route Маршрут 3', 'To route Маршрут 4']],
  ])('lists the targets of %s', async (name, targets) => {
    const { hand } = await openScreen(server, '/buses', { user: admin });
    await hand.click(await screen.findByRole('button', { name: `Move ${name}` }));
    await screen.findByRole('button', { name: targets[0] ?? '' });
    const listed = screen
      .getAllByRole('button', { name: /^(To route|Take off)/ })
      .map((button) => button.textContent);
    expect(listed).toEqual(targets);
  });

  it('is not there for others', async () => {
    await openScreen(server, '/buses', { user: { ...owner, can_edit: true } });
    expect(await screen.findByRole('link', { name: 'Два маршрута' })).toBeVisible();
    expect(menus()).toEqual([]);
  });
});
