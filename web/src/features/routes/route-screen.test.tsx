import { searchRoutes } from '@ridewatch/contract/bus-routes';
import { type BusInfo, findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { setTerminalStop } from '@ridewatch/contract/laps';
import {
  addBusToRoute,
  deleteRouteStop,
  findRoute,
  insertRouteStop,
  listRouteStops,
  type RouteStop,
  removeBusFromRoute,
  setTerminalStops,
  updateRoute,
  updateRouteStop,
} from '@ridewatch/contract/routes';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TODAY } from '../../test/browser.ts';
import {
  admin,
  bus,
  busInfo,
  busList,
  busRoute,
  owner,
  page,
  routeStop,
  routeWithTrack,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import { type FakeServer, refusal } from '../../test/server.ts';

const three = [
  routeStop(0, 'Вокзал', { terminal: 'first' }),
  routeStop(1, 'Рынок'),
  routeStop(2, 'Школа'),
];
const answerOf = (items: RouteStop[]) => ({ ...page(items), near_stops: [] });
let server: FakeServer;
const serve = (more: Partial<BusInfo> = {}) =>
  server.answer(findBusInfo, ({ query }) =>
    busInfo({ group: routeWithTrack(), date: query.get('date') ?? TODAY, ...more }),
  );
beforeEach(() => {
  server = freshServer();
  serve();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, ({ params }) =>
    routeWithTrack({ id: Number(params.groupId), name: `Маршрут ${params.groupId}` }),
  );
  server.answer(listRouteStops, answerOf(three));
});
const open = (address = '/bus/7/route', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const title = (name: RegExp) => screen.findByRole('heading', { name, level: 2 });
const stop = (name: RegExp) => screen.findByRole('button', { name });
/** The stop in the list, found by its name. */
const listed = (name: string) => stop(new RegExp(`^\\d ?${name}`));
const parts = () =>
  within(screen.getByRole('navigation', { name: 'Parts of the route' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('the route of a bus', () => {
  it('says which one it is and how its revenue is reckoned', async () => {
    await open();
    expect(await title(/^Маршрут 5 One fare$/)).toBeVisible();
    expect(parts()).toEqual(['Stops', 'Routes', 'Actions']);
  });

  it('has prices where revenue is reckoned by the price table', async () => {
    serve({ group: routeWithTrack({ type_calculation: 'CALCULATION' }) });
    server.answer(findRoute, routeWithTrack({ type_calculation: 'CALCULATION' }));
    await open();
    await title(/By the price table/);
    expect(parts()).toEqual(['Stops', 'Price', 'Routes', 'Actions']);
  });

  it('has no actions for who may not edit', async () => {
    await open('/bus/7/route', { user: { ...owner, can_edit: false } });
    await title(/Маршрут 5/);
    expect(parts()).toEqual(['Stops', 'Routes']);
    expect(screen.queryByRole('button', { name: 'Add a stop' })).not.toBeInTheDocument();
  });

  it('that the bus does not have is chosen in the list', async () => {
    serve({ group: null });
    server.answer(searchRoutes, page([busRoute(6)]));
    const { hand, address } = await open();
    await title(/^The bus has no route$/);
    await hand.click(screen.getByRole('button', { name: 'To the list of routes' }));
    await waitFor(() => expect(address()).toContain('part=routes'));
    expect(await screen.findByRole('link', { name: 'Open: Маршрут 6' })).toBeVisible();
  });

  it('may be another one, from which a button leads back', async () => {
    const { hand, address } = await open('/bus/7/route?route=6');
    expect(await title(/^Маршрут 6 One fare ?not this bus's route$/)).toBeVisible();
    await hand.click(screen.getByRole('button', { name: "To the bus's route" }));
    await waitFor(() => expect(address()).not.toContain('route='));
  });

  it('that is not there says so', async () => {
    server.refuse(findRoute, 'not_found');
    await open('/bus/7/route?route=99');
    expect(await title(/^There is no such route$/)).toBeVisible();
  });

  it('could not be loaded, and is loaded when it is asked again', async () => {
    server.refuse(listRouteStops, 'internal');
    const { hand } = await open();
    await screen.findByRole('heading', { name: 'The route could not be loaded' });
    server.answer(listRouteStops, answerOf(three));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await listed('Рынок')).toBeVisible();
  });
});

describe('the parts of a route', () => {
  it('come before what only some of them have', async () => {
    await open();
    await title(/Маршрут 5/);
    const tabs = screen.getByRole('navigation', { name: 'Parts of the route' });
    const day = screen.getByText('Changes apply from');
    expect(tabs.compareDocumentPosition(day)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('without a search leave the key / to the list of buses', async () => {
    const { hand } = await open('/bus/7/route', { device: 'wide' });
    await title(/Маршрут 5/);
    await hand.click(await screen.findByRole('button', { name: 'Collapse the list' }));
    await hand.keyboard('[Slash]');
    await waitFor(() =>
      expect(screen.getByRole('searchbox', { name: 'Bus or camera' })).toHaveFocus(),
    );
  });
});

describe('the day from which changes of a route hold', () => {
  it('is today, and today the route is open for changes', async () => {
    await open();
    await listed('Рынок');
    expect(screen.getByText('today')).toBeVisible();
  });

  it('is none on a past day until somebody chooses one', async () => {
    const { hand, address } = await open('/bus/7/route?date=2026-03-09');
    expect(await screen.findByText('This is the route of a past day.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add a stop' })).not.toBeInTheDocument();
    await hand.click(screen.getByRole('button', { name: /Change from.09.03.2026/ }));
    await waitFor(() => expect(address()).toContain('from=2026-03-09'));
    expect(await screen.findByRole('button', { name: 'Add a stop' })).toBeVisible();
    expect(screen.getByText('a past day')).toBeVisible();
  });
});

describe('the stops of a route', () => {
  it('are listed by direction, with the terminal', async () => {
    await open();
    expect(await stop(/^1 ?Вокзал ?First terminal$/)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Forward 3' })).toBeVisible();
    expect(screen.getByText('No stops: drag one here')).toBeVisible();
  });

  it('say that there are none yet, and where they come from', async () => {
    server.answer(listRouteStops, answerOf([]));
    await open();
    expect(await title(/^The route has no stops$/)).toBeVisible();
  });

  it('are added with a name and a place', async () => {
    server.answer(insertRouteStop, answerOf([...three, routeStop(3, 'Парк')]));
    const { hand } = await open();
    await hand.click(await stop(/^Add a stop$/));
    const form = within(screen.getByRole('form', { name: 'New stop' }));
    await hand.click(form.getByRole('button', { name: 'Add' }));
    expect(form.getByText('Please fill this in')).toBeVisible();
    expect(form.getByText('Two coordinates with a comma: 55.7512, 37.6184')).toBeVisible();
    await hand.type(form.getByRole('textbox', { name: 'Name' }), 'Парк');
    await hand.type(form.getByRole('textbox', { name: 'Latitude, longitude' }), '55.75, 37.61');
    await hand.click(form.getByRole('button', { name: 'Add' }));
    await waitFor(() =>
      expect(server.asked(insertRouteStop)[0]?.body).toMatchObject({
        name: 'Парк',
        latitude: 55.75,
        longitude: 37.61,
        orderKey: 3,
        routeDirection: 'FORWARD',
      }),
    );
    expect(await listed('Парк')).toBeVisible();
  });

  it('that could not be added stay in the form, with the reason', async () => {
    server.refuse(insertRouteStop, 'no_right');
    const { hand } = await open();
    await hand.click(await stop(/^Add a stop$/));
    await hand.type(screen.getByRole('textbox', { name: 'Name' }), 'Парк');
    await hand.type(
      screen.getByRole('textbox', { name: 'Latitude, longitude' }),
      '55.75, 37.61{Enter}',
    );
    expect(await screen.findByText(/^Not saved/)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Парк');
  });

  it('are renamed where they stand', async () => {
    const renamed = three.map((one) => (one.id === 501 ? { ...one, name: 'Новый рынок' } : one));
    server.answer(updateRouteStop, answerOf(renamed));
    const { hand, address } = await open();
    await hand.click(await listed('Рынок'));
    await waitFor(() => expect(address()).toContain('stop=501'));
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await hand.clear(name);
    await hand.type(name, 'Новый рынок{Enter}');
    await waitFor(() =>
      expect(server.asked(updateRouteStop)[0]?.body).toMatchObject({ name: 'Новый рынок' }),
    );
    expect(await listed('Новый рынок')).toBeVisible();
  });

  it('are moved with the keys', async () => {
    server.answer(updateRouteStop, answerOf(three));
    const { hand } = await open();
    (await stop(/^Move “Рынок”/)).focus();
    await hand.keyboard('{ArrowDown}');
    await waitFor(() =>
      expect(server.asked(updateRouteStop)[0]?.body).toMatchObject({
        orderKey: 2,
        routeDirection: 'FORWARD',
      }),
    );
    expect(screen.getByText('“Рынок”: forward, place 3')).toBeVisible();
  });

  it('become terminals', async () => {
    server.answer(setTerminalStops, answerOf(three));
    const { hand } = await open('/bus/7/route?stop=502');
    await hand.click(await stop(/^Make it the second terminal$/));
    await waitFor(() =>
      expect(server.asked(setTerminalStops)[0]?.body).toMatchObject({
        firstRouteStopId: 500,
        lastRouteStopId: 502,
      }),
    );
  });

  it('are where the laps of a bus begin', async () => {
    server.answer(setTerminalStop, undefined as never);
    const { hand } = await open('/bus/7/route?stop=501');
    await hand.click(await stop(/^Begin this bus's laps here$/));
    await waitFor(() =>
      expect(server.asked(setTerminalStop)[0]?.body).toMatchObject({
        workplaceId: 7,
        busStopId: 501,
      }),
    );
  });

  it('are removed after a question', async () => {
    server.answer(deleteRouteStop, answerOf(three.slice(0, 2)));
    const { hand } = await open('/bus/7/route?stop=502');
    await hand.click(await stop(/^Remove the stop$/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Школа”?' }));
    expect(server.asked(deleteRouteStop)).toHaveLength(0);
    await hand.click(dialog.getByRole('button', { name: 'Remove the stop' }));
    await waitFor(() => expect(server.asked(deleteRouteStop)[0]?.params.stopId).toBe('502'));
    await waitFor(() => expect(screen.queryByText('Школа')).not.toBeInTheDocument());
  });

  it('at one place are named: they are probably drawn twice', async () => {
    server.answer(listRouteStops, { ...page(three), near_stops: [{ from: 500, to: 501 }] });
    await open();
    expect(await screen.findByText(/Вокзал.*Рынок/)).toBeVisible();
  });
});

describe('the list of routes', () => {
  const many = Array.from({ length: 8 }, (_, index) => busRoute(index + 1));
  beforeEach(() => server.answer(searchRoutes, page(many)));
  const openList = (opening?: Parameters<typeof openScreen>[2]) =>
    open('/bus/7/route?part=routes', opening);
  const names = () => screen.getAllByRole('textbox', { name: /^Name of the route/ });

  it("has the bus's own route first, and a search where there are many", async () => {
    const { hand } = await openList();
    const search = await screen.findByRole('searchbox', { name: 'Find a route' });
    expect(names()[0]).toHaveValue('Маршрут 5');
    await hand.type(search, '7');
    expect(names()).toHaveLength(1);
    await hand.type(search, '77');
    expect(screen.getByText('Nothing found')).toBeVisible();
  });

  it('is searched with the key /', async () => {
    const { hand } = await openList({ device: 'wide' });
    const search = await screen.findByRole('searchbox', { name: 'Find a route' });
    await hand.keyboard('[Slash]');
    expect(search).toHaveFocus();
  });

  it('leads to another route', async () => {
    const { hand, address } = await openList();
    await hand.click(await screen.findByRole('link', { name: 'Open: Маршрут 2' }));
    await waitFor(() => expect(address()).toMatch(/route\?route=2$/));
  });

  it('renames a route, and says that there is such a name already', async () => {
    server.answer(updateRoute, refusal('conflict', { field: 'name' }));
    const { hand } = await openList();
    const name = await screen.findByRole('textbox', { name: 'Name of the route: Маршрут 2' });
    await hand.clear(name);
    await hand.type(name, 'Маршрут 3{Enter}');
    expect(await screen.findByText('There is such a route already')).toBeVisible();
  });

  it('changes how revenue is reckoned', async () => {
    server.answer(updateRoute, busRoute(2, { type_calculation: 'CALCULATION' }));
    const { hand } = await openList();
    const type = await screen.findByRole('group', { name: 'How revenue is calculated: Маршрут 2' });
    await hand.click(within(type).getByRole('button', { name: 'By the price table' }));
    await waitFor(() =>
      expect(server.asked(updateRoute)[0]?.body).toEqual({
        type_calculation: 'CALCULATION',
        seen: { type_calculation: 'FIXED' },
      }),
    );
  });

  it('shows the name that somebody else gave a route, and asks which one stays', async () => {
    server.answer(updateRoute, refusal('conflict', { field: 'seen.name' }));
    server.answer(findRoute, ({ params }) =>
      routeWithTrack({ id: Number(params.groupId), name: 'Речной' }),
    );
    const { hand } = await openList();
    const field = await screen.findByRole('textbox', { name: 'Name of the route: Маршрут 2' });
    await hand.type(field, 'а{Enter}');
    await screen.findByText('Another user has set “Речной”; your “Маршрут 2а” is not saved.');
    server.answer(updateRoute, busRoute(2, { name: 'Маршрут 2а' }));
    await hand.click(screen.getByRole('button', { name: 'Save mine' }));
    await waitFor(() =>
      expect(server.asked(updateRoute).map(({ body }) => body)).toEqual([
        { name: 'Маршрут 2а', seen: { name: 'Маршрут 2' } },
        { name: 'Маршрут 2а', seen: { name: 'Речной' } },
      ]),
    );
  });

  it('keeps another way of reckoning that got no answer, and sends it again when asked', async () => {
    server.refuse(updateRoute, 'unavailable');
    const { hand } = await openList();
    const type = await screen.findByRole('group', { name: 'How revenue is calculated: Маршрут 2' });
    const table = within(type).getByRole('button', { name: 'By the price table' });
    await hand.click(table);
    expect(await screen.findByText(/^Not saved: The server is not available/)).toBeVisible();
    expect(table).toHaveAttribute('aria-pressed', 'true');
    server.answer(updateRoute, busRoute(2, { type_calculation: 'CALCULATION' }));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/^Not saved/)).not.toBeInTheDocument());
    expect(server.asked(updateRoute)).toHaveLength(2);
  });

  it('lets administrators put the bus on a route, and take it off', async () => {
    const refused = () => refusal('invalid_request', { field: 'valid_from' });
    server.answer(addBusToRoute, refused);
    server.answer(removeBusFromRoute, undefined as never);
    const { hand } = await openList({ user: admin });
    await hand.click(await screen.findByRole('button', { name: 'Put the bus on it: Маршрут 2' }));
    await hand.click(await screen.findByRole('button', { name: 'Put the bus on it' }));
    expect(await screen.findByText('On this day the bus belongs to others')).toBeVisible();
    server.answer(addBusToRoute, undefined as never);
    await hand.click(screen.getByRole('button', { name: 'Put the bus on it' }));
    expect(await screen.findByText(/The bus is on “Маршрут 2” from/)).toBeVisible();
    expect(server.asked(addBusToRoute)[0]?.body).toEqual({
      workplaceId: 7,
      groupId: 2,
      valid_from: TODAY,
    });
    await hand.click(screen.getByRole('button', { name: 'Take it off the route: Маршрут 5' }));
    await hand.click(await screen.findByRole('button', { name: 'Take it off the route' }));
    expect(await screen.findByText(/The bus has no route from/)).toBeVisible();
  });

  it('says that there are no routes', async () => {
    server.answer(searchRoutes, page([]));
    await openList();
    expect(await screen.findByRole('heading', { name: 'There are no routes' })).toBeVisible();
  });
});
