import { listClientRoutes, searchRoutes, setRoute } from '@ridewatch/contract/bus-routes';
import { listBuses } from '@ridewatch/contract/buses';
import { closeMessage, findMedia, listActiveMessages } from '@ridewatch/contract/news';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { admin, bus, busList, busRoute, camera, customer, owner, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
});

const fleet = [
  bus(1, { name: 'А 472 КМ', group: busRoute(5) }),
  bus(2, { name: 'В 110 ОР', group: busRoute(5) }),
  bus(3, { name: 'Запасной', cameras: [camera(1, { enabled: false, status: 'offline' })] }),
];
const busNames = () =>
  screen.getAllByRole('link', { name: /КМ|ОР|Запасной/ }).map((one) => one.textContent);
const open = (opening?: Parameters<typeof openScreen>[2], address = '/buses') =>
  openScreen(server, address, opening);
const search = () => screen.getByRole('textbox', { name: 'Bus number or camera name' });

describe('the bus list', () => {
  it('shows the buses without a route first, then those of each route', async () => {
    server.answer(listBuses, busList(fleet));
    await open();
    expect(await screen.findByRole('heading', { name: 'Маршрут 5 2' })).toBeVisible();
    expect(busNames()).toEqual(['Запасной', 'А 472 КМ', 'В 110 ОР']);
    expect(screen.getByText('3 buses')).toBeVisible();
  });

  it('says of each camera whether it is online', async () => {
    server.answer(listBuses, busList(fleet.slice(2)));
    await open();
    expect(await screen.findByRole('img', { name: 'Дверь 1: offline' })).toBeVisible();
  });

  it('says when a bus was heard last, and of one that never spoke or has no unit that it is so', async () => {
    const never = { last_seen_at: null };
    const gone = { ...never, without_unit: { since: '2026-03-10T06:05:00.000Z' } };
    server.answer(listBuses, busList([bus(1), bus(2, never), bus(3, gone)]));
    await open();
    expect(await screen.findByText('0 s ago')).toBeVisible();
    expect(await screen.findByText('never connected')).toBeVisible();
    expect(await screen.findByText('no unit')).toBeVisible();
  });

  it('shows its outline while the buses are on their way', async () => {
    server.hang(listBuses);
    await open();
    expect(await screen.findByRole('status', { name: 'Loading...' })).toBeVisible();
  });

  it('says that it could not be loaded, and loads when it is asked again', async () => {
    server.refuse(listBuses, 'internal');
    const { hand } = await open();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('heading', { name: 'Could not load' })).toBeVisible();
    server.answer(listBuses, busList(fleet));
    await hand.click(again);
    expect(await screen.findByRole('link', { name: 'А 472 КМ' })).toBeVisible();
  });

  it('says that there are no buses yet', async () => {
    server.answer(listBuses, busList([]));
    await open();
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
  });

  it('without buses leads who adds them to where they do', async () => {
    server.answer(listBuses, busList([], []));
    await open({ user: admin });
    expect(await screen.findByRole('heading', { name: 'No buses yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the first steps' })).toHaveAttribute('href', '/');
    expect(screen.queryByText(/administrator/)).not.toBeInTheDocument();
  });

  it('leads to the page of a bus', async () => {
    server.answer(listBuses, busList(fleet));
    const { hand, address } = await open();
    await hand.click(await screen.findByRole('link', { name: 'А 472 КМ' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/1$/));
  });
});

describe('the search over the bus list', () => {
  beforeEach(() => server.answer(listBuses, busList(fleet)));

  it('finds buses by a part of their name, and keeps what was typed in the address', async () => {
    const { hand, address } = await open();
    await screen.findByText('3 buses');
    await hand.type(search(), 'a472');
    await waitFor(() => expect(busNames()).toEqual(['А 472 КМ']));
    expect(screen.getByText('1 bus')).toBeVisible();
    await waitFor(() => expect(address()).toContain('q=a472'));
  });

  it('has what was typed in the address as soon as the user leaves the field', async () => {
    const { hand, address } = await open();
    await screen.findByText('3 buses');
    await hand.type(search(), 'a472');
    expect(address()).not.toContain('q=');
    await hand.tab();
    expect(address()).toContain('q=a472');
  });

  it('says that no bus matches, and offers to clear the search', async () => {
    const { hand } = await open({}, '/buses?q=zzz');
    expect(await screen.findByText('No bus or camera is named “zzz”.')).toBeVisible();
    const [inPlace] = screen.getAllByRole('button', { name: 'Clear search' }).slice(-1);
    await hand.click(inPlace as HTMLElement);
    expect(await screen.findByText('3 buses')).toBeVisible();
    expect(search()).toHaveValue('');
  });

  it('has the focus after the key /, and is emptied by Esc', async () => {
    const { hand } = await open({}, '/buses?q=a472');
    await screen.findByText('1 bus');
    await hand.keyboard('[Slash]');
    expect(search()).toHaveFocus();
    await hand.keyboard('{Escape}');
    expect(await screen.findByText('3 buses')).toBeVisible();
  });
});

describe('banners over the bus list', () => {
  const message = {
    id: 9,
    title: 'Maintenance',
    text: 'Tonight from two o’clock.',
    mediaId: null,
    notice: null,
  };

  it('are shown one by one; the next follows when somebody closes one, and the server hears of it', async () => {
    server.answer(listBuses, busList(fleet));
    server.answer(listActiveMessages, page([message, { ...message, id: 10, title: 'Prices' }]));
    server.answer(closeMessage, undefined as never);
    const { hand } = await open();
    const banner = await screen.findByRole('complementary', { name: 'Maintenance' });
    expect(within(banner).getByText(message.text)).toBeVisible();
    expect(within(banner).getByText('1 of 2')).toBeVisible();
    await hand.click(
      within(banner).getByRole('button', { name: 'Close the banner “Maintenance”' }),
    );
    expect(screen.queryByText('Maintenance')).not.toBeInTheDocument();
    await hand.click(screen.getByRole('button', { name: 'Close the banner “Prices”' }));
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
    await waitFor(() =>
      expect(server.asked(closeMessage).map(({ params }) => params.messageId)).toEqual(['9', '10']),
    );
  });

  it('that are gone by then stay closed, and a toast says so', async () => {
    server.answer(listBuses, busList(fleet));
    server.answer(listActiveMessages, page([message]));
    server.refuse(closeMessage, 'not_found');
    const { hand } = await open();
    const close = await screen.findByRole('button', { name: 'Close the banner “Maintenance”' });
    server.answer(listActiveMessages, page([]));
    await hand.click(close);
    await waitFor(() => expect(server.asked(listActiveMessages)).toHaveLength(2));
    expect(await screen.findByText('404: It was refused.')).toBeVisible();
    expect(screen.queryByText('Maintenance')).not.toBeInTheDocument();
  });

  it('come back if they could not be closed, and a toast says why', async () => {
    server.answer(listBuses, busList(fleet));
    server.answer(listActiveMessages, page([message]));
    server.refuse(closeMessage, 'internal');
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Close the banner “Maintenance”' }));
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
    expect(await screen.findByRole('complementary', { name: 'Maintenance' })).toBeVisible();
  });

  it('load and show their image when somebody opens them', async () => {
    server.answer(listBuses, busList(fleet));
    server.answer(listActiveMessages, page([{ ...message, mediaId: 5 }]));
    server.answer(findMedia, { data: 'iVBORw==', format: 'png', name: 'plan.png' });
    const { hand } = await open();
    const words = await screen.findByText('Tonight from two o’clock.', { exact: false });
    expect(server.asked(findMedia)).toHaveLength(0);
    await hand.click(words);
    const image = await screen.findByRole('img', { name: 'Maintenance' });
    expect(image).toHaveAttribute('src', 'data:image/png;base64,iVBORw==');
  });

  it('say in the language of the page that the disk of the server fills up', async () => {
    server.answer(listBuses, busList(fleet));
    const notice = { kind: 'disk', percent: 86, deleted: 0, until: null } as const;
    server.answer(listActiveMessages, page([{ ...message, notice }]));
    await open();
    expect(await screen.findByText(/The disk of the server is 86 % full/)).toBeVisible();
  });
});

describe('a failed read beside the bus list', () => {
  beforeEach(() => server.answer(listBuses, busList([bus(1, { group: busRoute(5) })])));

  it('is said above the list if it was that of the notices', async () => {
    server.refuse(listActiveMessages, 'internal');
    const { hand } = await open();
    const alert = await screen.findByText('Could not load: banners');
    server.answer(listActiveMessages, page([]));
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(alert).not.toBeInTheDocument());
  });

  it('is said in the menu of a bus if it was that of the routes', async () => {
    server.refuse(searchRoutes, 'internal');
    const { hand } = await open({ user: admin });
    await hand.click(await screen.findByRole('button', { name: 'Move А 1 АА' }));
    const menu = await screen.findByRole('dialog', { name: 'Move А 1 АА' });
    expect(await within(menu).findByText('Could not load: routes')).toBeVisible();
    server.answer(searchRoutes, page([busRoute(5), busRoute(6)]));
    await hand.click(within(menu).getByRole('button', { name: 'Try again' }));
    expect(await within(menu).findByRole('button', { name: 'To route Маршрут 6' })).toBeVisible();
  });
});

describe('who sees what in the bus list', () => {
  const two = busList(
    [bus(1), bus(2, { clients: [21] })],
    [customer(20, 'Север'), customer(21, 'Юг')],
  );

  it('headings of customers are for administrators and integrators with clients', async () => {
    server.answer(listBuses, two);
    server.answer(searchRoutes, page([]));
    const { unmount } = await open({ user: { ...admin } });
    expect(await screen.findByRole('heading', { name: 'Север 1 bus' })).toBeVisible();
    unmount();
    await open({ user: { ...owner, role: 'INTEGRATOR', integrator_clients: [21] } });
    expect(await screen.findByRole('heading', { name: 'Юг 1 bus' })).toBeVisible();
  });

  it('a bus of two customers is listed under the chosen one', async () => {
    const shared = busList(
      [bus(1), bus(2, { clients: [20, 21] }), bus(3, { clients: [21] })],
      [customer(20, 'Север'), customer(21, 'Юг')],
    );
    server.answer(listBuses, shared);
    server.answer(searchRoutes, page([]));
    await openScreen(server, '/buses?customer=21', { user: { ...admin } });
    expect(await screen.findByRole('heading', { name: 'Юг 2 buses' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'А 2 АА' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'А 1 АА' })).not.toBeInTheDocument();
  });

  it('a bus that passes to another customer is until tomorrow under the former one', async () => {
    const passes = { from: '2026-03-12', until_then: [20] };
    const passing = bus(2, { clients: [21], passes, group: busRoute(5, { client_id: 20 }) });
    server.answer(
      listBuses,
      busList([bus(1), passing], [customer(20, 'Север'), customer(21, 'Юг')]),
    );
    const routes = [busRoute(5), busRoute(6)].map((route) => ({ ...route, client_id: 20 }));
    server.answer(searchRoutes, page([...routes, busRoute(7, { client_id: 21 })]));
    const { unmount } = await openScreen(server, '/buses?customer=21', { user: { ...admin } });
    expect(await screen.findByRole('heading', { name: 'Юг 0 buses' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Юг only: show all' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'А 2 АА' })).not.toBeInTheDocument();
    unmount();
    const { hand } = await openScreen(server, '/buses?customer=20', { user: { ...admin } });
    expect(await screen.findByRole('heading', { name: 'Север 2 buses' })).toBeVisible();
    await hand.click(await screen.findByRole('button', { name: 'Move А 2 АА' }));
    expect(await screen.findByRole('button', { name: 'To route Маршрут 6' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'To route Маршрут 7' })).not.toBeInTheDocument();
  });

  it('an administrator sees a customer that has no bus yet', async () => {
    server.answer(listBuses, busList([bus(1)], [customer(20, 'Север'), customer(22, 'Восток')]));
    server.answer(searchRoutes, page([]));
    await open({ user: { ...admin } });
    expect(await screen.findByRole('heading', { name: 'Восток 0 buses' })).toBeVisible();
  });

  it('others see no names of customers', async () => {
    server.answer(listBuses, two);
    await open();
    await screen.findByText('2 buses');
    expect(screen.queryByText(/Север/)).not.toBeInTheDocument();
  });

  it('an administrator moves a bus to another route of its customer', async () => {
    const moved = bus(1, { group: busRoute(5), group_device_id: 'RW-1' });
    server.answer(listBuses, busList([moved]));
    server.answer(listClientRoutes, page([busRoute(5), busRoute(6)]));
    server.answer(searchRoutes, page([busRoute(5), busRoute(6)]));
    server.answer(setRoute, { workplaceId: 1, group: busRoute(6) });
    const { hand } = await open({ user: admin });
    await hand.click(await screen.findByRole('button', { name: 'Move А 1 АА' }));
    await hand.click(await screen.findByRole('button', { name: 'To route Маршрут 6' }));
    await waitFor(() =>
      expect(server.asked(setRoute).at(-1)?.body).toEqual({ groupId: 6, workplaceId: 1 }),
    );
    // The list is read again.
    await waitFor(() => expect(server.asked(listBuses).length).toBeGreaterThan(1));
  });

  it('the device id is shown to administrators', async () => {
    server.answer(listBuses, busList([bus(1, { group_device_id: 'RW-1' })]));
    server.answer(searchRoutes, page([]));
    await open({ user: admin });
    expect(await screen.findByRole('button', { name: /rid RW-1/ })).toBeVisible();
  });
});
