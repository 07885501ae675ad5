import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import {
  deleteRouteStop,
  findRoute,
  insertRouteStop,
  listRouteStops,
  type RouteStop,
  setTerminalStops,
  updateRouteStop,
} from '@ridewatch/contract/routes';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '../../../calls/api.ts';
import { TODAY } from '../../../test/browser.ts';
import { bus, busInfo, busList, page, routeStop, routeWithTrack } from '../../../test/made.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';
import { type FakeServer, refusal } from '../../../test/server.ts';

const three = [
  routeStop(0, 'Вокзал', { terminal: 'first' }),
  routeStop(1, 'Рынок'),
  routeStop(2, 'Школа'),
];
const answerOf = (items: RouteStop[]) => ({ ...page(items), near_stops: [] });
const inOrder = (...names: string[]) =>
  names.flatMap((name, orderKey) => {
    const stop = three.find((one) => one.name === name);
    return stop ? [{ ...stop, orderKey }] : [];
  });
let server: FakeServer;

beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo({ group: routeWithTrack(), date: TODAY }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, routeWithTrack());
  server.answer(listRouteStops, answerOf(three));
});

const open = (address = '/bus/7/route') => openScreen(server, address);
const handle = (name: string) =>
  screen.findByRole('button', { name: new RegExp(`^Move “${name}”`) });
const names = () =>
  screen
    .getAllByRole('button', { name: /^Move “/ })
    .map((one) => /“(.*)”/.exec(one.getAttribute('aria-label') ?? '')?.[1]);
const rowOf = async (name: string) => within((await handle(name)).closest('li') ?? document.body);
const retry = () => screen.getByRole('button', { name: 'Try again' });
const bodies = () => server.asked(updateRouteStop).map(({ body }) => body);
/** Moves a stop a place down with the keys. */
const moveDown = async (hand: { keyboard: (keys: string) => Promise<void> }, name: string) => {
  (await handle(name)).focus();
  await hand.keyboard('{ArrowDown}');
};

describe('a change of a stop that got no answer', () => {
  it('stays shown as not saved, and is sent again when asked', async () => {
    server.refuse(updateRouteStop, 'unavailable');
    const { hand } = await open();
    await moveDown(hand, 'Вокзал');
    const row = await rowOf('Вокзал');
    expect(await row.findByRole('alert')).toHaveTextContent(
      'Not saved: The server is not available at the moment',
    );
    expect(names()).toEqual(['Рынок', 'Вокзал', 'Школа']);
    // The stored stops arrive again: the change stays above them.
    await act(() => queryClient.refetchQueries({ queryKey: [listRouteStops.path] }));
    expect(names()).toEqual(['Рынок', 'Вокзал', 'Школа']);
    server.answer(updateRouteStop, answerOf(inOrder('Рынок', 'Вокзал', 'Школа')));
    await hand.click(retry());
    expect(await row.findByRole('img', { name: 'Saved' })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    const moved = { orderKey: 1, routeDirection: 'FORWARD' };
    const seen = { orderKey: 0, routeDirection: 'FORWARD' };
    expect(bodies()).toEqual(Array(2).fill({ ...moved, seen, valid_from: TODAY }));
  });

  it('says so while there is no connection', async () => {
    const { hand } = await open();
    await handle('Вокзал');
    server.setLink(false);
    await moveDown(hand, 'Вокзал');
    expect(await screen.findByText(/^Not saved: No connection to the server/)).toBeVisible();
    expect(names()).toEqual(['Рынок', 'Вокзал', 'Школа']);
    server.setLink(true);
    server.answer(updateRouteStop, answerOf(inOrder('Рынок', 'Вокзал', 'Школа')));
    await hand.click(retry());
    await waitFor(() => expect(screen.queryByText(/^Not saved/)).not.toBeInTheDocument());
  });

  it('goes before those that were made after it', async () => {
    server.refuse(updateRouteStop, 'unavailable');
    const { hand } = await open();
    await moveDown(hand, 'Вокзал');
    await screen.findByRole('alert');
    server.answer(updateRouteStop, ({ params }) =>
      answerOf(
        params.stopId === '500'
          ? inOrder('Рынок', 'Вокзал', 'Школа')
          : inOrder('Вокзал', 'Рынок', 'Школа'),
      ),
    );
    await moveDown(hand, 'Рынок');
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    const sent = server.asked(updateRouteStop);
    expect(sent.map(({ params }) => params.stopId)).toEqual(['500', '500', '501']);
    expect(sent.at(-1)?.body?.seen).toEqual({ orderKey: 0, routeDirection: 'FORWARD' });
    expect(names()).toEqual(['Вокзал', 'Рынок', 'Школа']);
  });

  it('is shown at its stop when it is a removal', async () => {
    server.refuse(deleteRouteStop, 'unavailable');
    const { hand } = await open('/bus/7/route?stop=502');
    await hand.click(await screen.findByRole('button', { name: 'Remove the stop' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.click(dialog.getByRole('button', { name: 'Remove the stop' }));
    expect(await (await rowOf('Школа')).findByRole('alert')).toBeVisible();
    server.answer(deleteRouteStop, answerOf(three.slice(0, 2)));
    await hand.click(retry());
    await waitFor(() => expect(names()).toEqual(['Вокзал', 'Рынок']));
    expect(server.asked(deleteRouteStop)).toHaveLength(2);
  });

  it('is sent again for terminals, with those of then', async () => {
    server.refuse(setTerminalStops, 'unavailable');
    const { hand } = await open('/bus/7/route?stop=502');
    await hand.click(await screen.findByRole('button', { name: 'Make it the second terminal' }));
    await screen.findByRole('alert');
    expect(screen.getByText('Second terminal')).toBeVisible();
    const last = three.map((one) => (one.id === 502 ? { ...one, terminal: 'last' as const } : one));
    server.answer(setTerminalStops, answerOf(last));
    await hand.click(retry());
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(server.asked(setTerminalStops).map(({ body }) => body?.lastRouteStopId)).toEqual([
      502, 502,
    ]);
  });

  it('stays in the form when it is a new stop', async () => {
    server.refuse(insertRouteStop, 'unavailable');
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Add a stop' }));
    const form = within(screen.getByRole('form', { name: 'New stop' }));
    await hand.type(form.getByRole('textbox', { name: 'Name' }), 'Парк');
    await hand.type(
      form.getByRole('textbox', { name: 'Latitude, longitude' }),
      '55.75, 37.61{Enter}',
    );
    await form.findByText(/^Not saved/);
    server.answer(insertRouteStop, answerOf([...three, routeStop(3, 'Парк')]));
    await hand.click(form.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(names()).toEqual(['Вокзал', 'Рынок', 'Школа', 'Парк']));
    const [first, second] = server.asked(insertRouteStop);
    expect(second?.body).toEqual(first?.body);
  });

  it('stays in the form with what is wrong when the name of a new stop is too long', async () => {
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Add a stop' }));
    const form = within(screen.getByRole('form', { name: 'New stop' }));
    const name = form.getByRole('textbox', { name: 'Name' });
    await hand.click(name);
    await hand.paste('x'.repeat(256));
    await hand.type(
      form.getByRole('textbox', { name: 'Latitude, longitude' }),
      '55.75, 37.61{Enter}',
    );
    expect(name).toHaveAccessibleDescription('At most 255 characters');
    expect(server.asked(insertRouteStop)).toHaveLength(0);
  });

  it('is sent once more when the page of the stops is left', async () => {
    server.refuse(updateRouteStop, 'unavailable');
    const { hand } = await open();
    await moveDown(hand, 'Вокзал');
    await screen.findByRole('alert');
    server.answer(updateRouteStop, answerOf(inOrder('Рынок', 'Вокзал', 'Школа')));
    await hand.click(screen.getByRole('link', { name: 'Actions' }));
    await waitFor(() => expect(server.asked(updateRouteStop)).toHaveLength(2));
  });
});

describe('a change of a stop that is refused', () => {
  it('is undone, with the reason and nothing to send again', async () => {
    server.refuse(updateRouteStop, 'no_right');
    const { hand } = await open();
    await moveDown(hand, 'Вокзал');
    expect(await screen.findByText('Not saved: You have no right to do this')).toBeVisible();
    expect(names()).toEqual(['Вокзал', 'Рынок', 'Школа']);
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it('because somebody else changed it shows what is stored now', async () => {
    server.answer(updateRouteStop, refusal('conflict', { field: 'seen.orderKey' }));
    const { hand } = await open();
    await handle('Вокзал');
    server.answer(listRouteStops, answerOf(inOrder('Школа', 'Рынок', 'Вокзал')));
    await moveDown(hand, 'Вокзал');
    expect(await screen.findByText(/^Not saved: Another user has changed this/)).toBeVisible();
    await waitFor(() => expect(names()).toEqual(['Школа', 'Рынок', 'Вокзал']));
  });
});

describe('the name and the place of a stop', () => {
  const exact = { latitude: 55.7512345678, longitude: 37.6112345678 };

  it('are saved over what the user saw, the place with all its decimals', async () => {
    const stops = three.map((one) => ({ ...one, ...exact }));
    server.answer(listRouteStops, answerOf(stops));
    server.answer(updateRouteStop, answerOf(stops));
    const { hand } = await open('/bus/7/route?stop=501');
    await hand.type(await screen.findByRole('textbox', { name: 'Name' }), '!{Enter}');
    const place = screen.getByRole('textbox', { name: 'Latitude, longitude' });
    expect(place).toHaveValue('55.751235, 37.611235');
    await hand.clear(place);
    await hand.type(place, '55.7, 37.6{Enter}');
    await waitFor(() =>
      expect(bodies()).toEqual([
        { name: 'Рынок!', seen: { name: 'Рынок' }, valid_from: TODAY },
        { latitude: 55.7, longitude: 37.6, seen: exact, valid_from: TODAY },
      ]),
    );
  });

  it('show the newer value when somebody else changed them, and ask which one stays', async () => {
    server.answer(updateRouteStop, refusal('conflict', { field: 'seen.name' }));
    const { hand } = await open('/bus/7/route?stop=501');
    const field = await screen.findByRole('textbox', { name: 'Name' });
    const renamed = three.map((one) => (one.id === 501 ? { ...one, name: 'Базар' } : one));
    server.answer(listRouteStops, answerOf(renamed));
    await hand.type(field, '!{Enter}');
    await screen.findByText('Another user has set “Базар”; your “Рынок!” is not saved.');
    expect(field).toHaveValue('Базар');
    expect(names()).toEqual(['Вокзал', 'Базар', 'Школа']);
    await hand.click(screen.getByRole('button', { name: 'Keep theirs' }));
    expect(field).toHaveValue('Базар');
    expect(bodies()).toHaveLength(1);
  });
});
