import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import {
  insertRouteCost,
  listRouteCosts,
  type RouteCost,
  setRouteCosts,
} from '@ridewatch/contract/costs';
import { findRoute, listRouteStops, type RouteStop } from '@ridewatch/contract/routes';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  bus,
  busInfo,
  busList,
  owner,
  page,
  routeStop,
  routeWithTrack,
} from '../../../test/made.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';
import type { FakeServer } from '../../../test/server.ts';

const stops = [routeStop(0, 'Вокзал'), routeStop(1, 'Рынок'), routeStop(2, 'Школа')];
const back = [
  routeStop(0, 'Школа', { id: 510, routeDirection: 'REVERSE' }),
  routeStop(1, 'Вокзал', { id: 511, routeDirection: 'REVERSE' }),
];
const cost = (from: number, to: number, price: string): RouteCost => ({
  id: from * 1000 + to,
  route_cost_id: from * 1000 + to,
  from_stop_id: from,
  to_stop_id: to,
  cost: price,
  group_id: 5,
});
const table = (items: RouteCost[], one_way = false, further_stops: RouteStop[] = []) => ({
  ...page(items),
  further_stops,
  one_way,
});
const route = routeWithTrack({ type_calculation: 'CALCULATION' });

let server: FakeServer;
const serveStops = (items: RouteStop[]) =>
  server.answer(listRouteStops, { ...page(items), near_stops: [] });
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo({ group: route }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, route);
  serveStops(stops);
  server.answer(listRouteCosts, table([cost(500, 501, '45.00')]));
});
const open = (search = '', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, `/bus/7/route?part=price${search}`, opening);
const prices = () => screen.findByRole('table', { name: /^Price table/ });
const cellsOf = async (from: string) => {
  const row = within(await prices()).getByRole('row', { name: new RegExp(`^${from}`) });
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.querySelector('input')?.value ?? cell.textContent);
};
const field = async () => within(await prices()).findByRole('textbox');

describe('the price table of a route', () => {
  it('has a row and a column for each stop, and none from a stop to itself', async () => {
    await open();
    const headers = within(await prices()).getAllByRole('columnheader');
    expect(headers.map((one) => one.textContent)).toEqual([
      'From ↓ · To →',
      'Вокзал',
      'Рынок',
      'Школа',
    ]);
    await waitFor(async () => expect(await cellsOf('Вокзал')).toEqual(['—', '45,00', '']));
  });

  it('has the stops of further patterns after the others', async () => {
    server.answer(listRouteCosts, table([], false, [routeStop(3, 'Завод')]));
    await open();
    await waitFor(async () => {
      const headers = within(await prices()).getAllByRole('columnheader');
      expect(headers.map((one) => one.textContent).slice(1)).toEqual([
        ...['Вокзал', 'Рынок', 'Школа', 'Завод'],
      ]);
    });
  });

  it('says how many rides have no price', async () => {
    await open();
    expect(await screen.findByText('2 of 3 without a price')).toBeVisible();
  });

  it('has no rides back where the route goes one way', async () => {
    server.answer(listRouteCosts, table([], true));
    await open();
    await prices();
    await waitFor(async () => expect(await cellsOf('Школа')).toEqual(['—', '—', '—']));
  });

  it('saves a typed price and goes to the next row', async () => {
    server.answer(insertRouteCost, cost(500, 501, '50.00'));
    const { hand } = await open();
    const cell = await field();
    await hand.click(cell);
    await hand.keyboard('50{Enter}');
    await waitFor(() =>
      expect(server.asked(insertRouteCost)[0]?.body).toMatchObject({
        from_stop_id: 500,
        to_stop_id: 501,
        cost: '50.00',
        group_id: 5,
        seen: { cost: '45.00' },
      }),
    );
    await waitFor(async () => expect((await cellsOf('Вокзал'))[1]).toBe('50,00'));
  });

  it('says of what is no price that it is none, and saves nothing', async () => {
    const { hand } = await open();
    await hand.click(await field());
    await hand.keyboard('abc{Enter}');
    expect(await screen.findByText('Not a price: 1')).toBeVisible();
    expect(server.asked(insertRouteCost)).toHaveLength(0);
  });

  it('is gone through with the arrow keys', async () => {
    const { hand } = await open();
    await hand.click(await field());
    await hand.keyboard('{ArrowRight}');
    await waitFor(async () =>
      expect(await field()).toHaveAccessibleName(expect.stringContaining('Школа')),
    );
  });

  it('is copied with the names of the stops', async () => {
    const { hand } = await open();
    await prices();
    await waitFor(async () => expect((await cellsOf('Вокзал'))[1]).toBe('45,00'));
    await hand.click(screen.getByRole('button', { name: 'Copy the table' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/Вокзал\tРынок\tШкола/);
  });

  it('shows rides forward, back, or of the whole lap', async () => {
    serveStops([...stops, ...back]);
    const { hand, address } = await open();
    const scope = await screen.findByRole('group', { name: 'Which rides' });
    await hand.click(within(scope).getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(address()).toContain('rides=reverse'));
    await waitFor(async () =>
      expect(within(await prices()).getAllByRole('rowheader')).toHaveLength(2),
    );
    await hand.click(within(scope).getByRole('button', { name: 'Whole lap' }));
    await waitFor(async () =>
      expect(within(await prices()).getAllByRole('rowheader')).toHaveLength(5),
    );
  });

  it('is only read by who may not edit', async () => {
    await open('', { user: { ...owner, can_edit: false } });
    await prices();
    expect(screen.queryByRole('button', { name: 'Fill from zones' })).not.toBeInTheDocument();
  });

  it('needs two stops at least', async () => {
    serveStops(stops.slice(0, 1));
    await open();
    expect(await screen.findByRole('heading', { name: 'There is nothing to price' })).toBeVisible();
  });

  it('could not be loaded, and is loaded when it is asked again', async () => {
    server.refuse(listRouteCosts, 'internal');
    const { hand } = await open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.answer(listRouteCosts, table([]));
    await hand.click(again);
    expect(await prices()).toBeVisible();
  });
});

describe('prices from zones', () => {
  const openZones = async () => {
    const { hand } = await open();
    await prices();
    await hand.click(screen.getByRole('button', { name: 'Fill from zones' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Prices from zones' }));
    const retype = async (name: string, typed: string) => {
      const field = dialog.getByRole('textbox', { name });
      await hand.clear(field);
      if (typed !== '') await hand.type(field, typed);
      return field;
    };
    return { hand, dialog, retype };
  };

  it('are written by how many zones a ride touches', async () => {
    server.answer(setRouteCosts, table([]));
    const { hand, dialog } = await openZones();
    await hand.click(dialog.getByRole('button', { name: 'The next zone begins at “Школа”' }));
    await hand.type(dialog.getByRole('textbox', { name: '1 zone' }), '30');
    await hand.type(dialog.getByRole('textbox', { name: '2 zones' }), '40');
    expect(dialog.getByText('3 prices will be written')).toBeVisible();
    await hand.click(dialog.getByRole('button', { name: 'Fill' }));
    await waitFor(() => expect(server.asked(setRouteCosts)[0]?.body.items).toHaveLength(3));
    const costs = server.asked(setRouteCosts)[0]?.body.items.map((one) => one.cost);
    expect(costs).toEqual(['30.00', '40.00', '40.00']);
  });

  it('need whole numbers of zones', async () => {
    const { dialog, retype } = await openZones();
    await retype('Zone: Рынок', '1.5');
    expect(dialog.getByText('Zone: A whole number from 1 to 99')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Fill' })).toBeDisabled();
  });

  it.each([
    ['', 'Please fill this in'],
    ['abc', 'A whole number from 1 to 99'],
    ['0', 'A whole number from 1 to 99'],
    ['100', 'A whole number from 1 to 99'],
  ])('refuse the zone “%s” below its field', async (typed, problem) => {
    const { dialog, retype } = await openZones();
    const zone = await retype('Zone: Рынок', typed);
    expect(zone).toBeInvalid();
    expect(zone).toHaveAccessibleDescription(problem);
    expect(dialog.getByRole('status')).toHaveTextContent(`Zone: ${problem}`);
    expect(dialog.getByRole('button', { name: 'Fill' })).toBeDisabled();
    expect(await retype('Zone: Рынок', '99')).toBeValid();
  });

  it.each(['abc', '-1', '45,123', '12345678'])('refuse the price “%s”', async (typed) => {
    const { dialog, retype } = await openZones();
    const price = await retype('1 zone', typed);
    expect(price).toHaveAccessibleDescription('Roubles with two decimals at most');
    expect(dialog.getByRole('button', { name: 'Fill' })).toBeDisabled();
  });

  it('leave rides unchanged where a price is empty', async () => {
    const { dialog, retype } = await openZones();
    expect(dialog.getByRole('textbox', { name: '1 zone' })).toBeValid();
    expect(await retype('1 zone', '1 234,50')).toBeValid();
    expect(dialog.getByText('3 prices will be written')).toBeVisible();
    expect(await retype('1 zone', '')).toBeValid();
    expect(dialog.getByText('0 prices will be written')).toBeVisible();
  });
});
