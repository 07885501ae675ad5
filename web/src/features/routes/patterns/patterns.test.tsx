import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import {
  deleteRoutePattern,
  insertRoutePattern,
  listRoutePatterns,
  type RoutePattern,
  updateRoutePattern,
} from '@ridewatch/contract/route-patterns';
import { deleteRouteStop, findRoute, listRouteStops } from '@ridewatch/contract/routes';
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
import { onlyPattern } from '../../../test/made-patterns.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';
import { type FakeServer, refusal } from '../../../test/server.ts';

const stops = [
  routeStop(0, 'Вокзал'),
  routeStop(1, 'Рынок'),
  routeStop(2, 'Школа'),
  routeStop(0, 'Рынок', { id: 510, routeDirection: 'REVERSE' }),
];
const ids = stops.map(({ id }) => id);
const whole = onlyPattern({ id: 80, name: 'Полный', stop_ids: ids });
const short: RoutePattern = {
  ...onlyPattern({ id: 81, name: 'Короткий', default: false }),
  stop_ids: [500, 501, 510],
};
const answerOf = (...items: RoutePattern[]) => ({ ...page(items), stops });

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo({ group: routeWithTrack() }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, routeWithTrack());
  server.answer(listRouteStops, { ...page(stops), near_stops: [] });
  server.answer(listRoutePatterns, answerOf(whole, short));
});
const open = (search = '', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, `/bus/7/route${search}`, opening);
const bar = () => screen.findByRole('group', { name: 'Patterns of the route' });
const chip = async (name: RegExp) => within(await bar()).findByRole('button', { name });
const box = (direction: RegExp, name: string) =>
  within(screen.getByRole('group', { name: direction })).getByRole('checkbox', { name });

describe('the patterns of a route', () => {
  it('are shown above its stops, the default one first', async () => {
    await open();
    await chip(/Короткий/);
    const chips = within(await bar()).getAllByRole('button', { name: /Полный|Короткий/ });
    expect(chips.map((one) => [one.textContent, one.ariaPressed])).toEqual([
      ['Полныйdefault', 'true'],
      ['Короткий', 'false'],
    ]);
    expect(screen.getByRole('textbox', { name: 'Name of the pattern' })).toHaveValue('Полный');
  });

  it('have their stops among those of the route; the address names the shown one', async () => {
    const { hand, address } = await open();
    await hand.click(await chip(/Короткий/));
    expect(address()).toMatch(/pattern=81/);
    expect(await screen.findByText('2 of 3 stops')).toBeVisible();
    expect(box(/^Forward/, 'Вокзал')).toBeChecked();
    expect(box(/^Forward/, 'Школа')).not.toBeChecked();
    expect(box(/^Back/, 'Рынок')).toBeChecked();
  });

  it('get and lose stops at once, from the shown day on', async () => {
    server.answer(updateRoutePattern, answerOf(whole, { ...short, stop_ids: ids }));
    const { hand } = await open('?pattern=81');
    await screen.findByText('2 of 3 stops');
    await hand.click(box(/^Forward/, 'Школа'));
    await waitFor(() =>
      expect(server.asked(updateRoutePattern)[0]?.body).toMatchObject({ stop_ids: ids }),
    );
    expect(await screen.findByText('3 of 3 stops')).toBeVisible();
  });

  it('list a stop that none of them has, with a way to remove it', async () => {
    const all = [...stops, routeStop(3, 'Депо', { id: 520 })];
    server.answer(listRoutePatterns, { ...answerOf(whole, short), stops: all });
    server.answer(deleteRouteStop, () => {
      server.answer(listRoutePatterns, answerOf(whole, short));
      return { ...page(stops), near_stops: [] };
    });
    const { hand } = await open('?pattern=81');
    expect(await screen.findByText(/No pattern has it/)).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'Remove the stop' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Депо”?' }));
    await hand.click(dialog.getByRole('button', { name: 'Remove the stop' }));
    await waitFor(() => expect(screen.queryByText('Депо')).not.toBeInTheDocument());
    const [asked] = server.asked(deleteRouteStop);
    expect([asked?.params.stopId, asked?.query.get('seen_name')]).toEqual(['520', 'Депо']);
  });

  it('keep a stop in the list that the server does not remove, and say why', async () => {
    const all = [...stops, routeStop(3, 'Депо', { id: 520 })];
    server.answer(listRoutePatterns, { ...answerOf(whole, short), stops: all });
    server.answer(deleteRouteStop, refusal('conflict', { field: 'seen.name' }));
    const { hand } = await open('?pattern=81');
    await hand.click(await screen.findByRole('button', { name: 'Remove the stop' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Депо”?' }));
    await hand.click(dialog.getByRole('button', { name: 'Remove the stop' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/Another user has changed this/);
    expect(screen.getByText('Депо')).toBeInTheDocument();
  });

  it('that have lost their stops say that they need two', async () => {
    server.answer(listRoutePatterns, answerOf(whole, { ...short, stop_ids: [500] }));
    await open('?pattern=81');
    expect(await screen.findByText('A pattern has two stops at least.')).toBeVisible();
  });

  it('keep two stops', async () => {
    server.answer(listRoutePatterns, answerOf(whole, { ...short, stop_ids: [500, 501] }));
    const { hand } = await open('?pattern=81');
    await screen.findByText('2 of 3 stops');
    await hand.click(box(/^Forward/, 'Вокзал'));
    expect(await screen.findByText('A pattern has two stops at least.')).toBeVisible();
    expect(server.asked(updateRoutePattern)).toEqual([]);
    expect(box(/^Forward/, 'Вокзал')).toBeChecked();
  });

  it('are as before when the server refuses a change, with the reason', async () => {
    server.answer(updateRoutePattern, refusal('conflict', { field: 'stop_ids' }));
    const { hand } = await open('?pattern=81');
    await screen.findByText('2 of 3 stops');
    await hand.click(box(/^Forward/, 'Школа'));
    expect(await screen.findByText(/Another pattern has the same stops/)).toBeVisible();
    await waitFor(() => expect(box(/^Forward/, 'Школа')).not.toBeChecked());
  });

  it('are renamed over the name that the user saw', async () => {
    server.answer(updateRoutePattern, answerOf(whole, { ...short, name: 'До рынка' }));
    const { hand } = await open('?pattern=81');
    const name = await screen.findByRole('textbox', { name: 'Name of the pattern' });
    await hand.clear(name);
    await hand.type(name, 'До рынка{Enter}');
    await waitFor(() =>
      expect(server.asked(updateRoutePattern)[0]?.body).toMatchObject({
        name: 'До рынка',
        seen: { name: 'Короткий' },
      }),
    );
    expect(await chip(/До рынка/)).toBeVisible();
  });

  it('are added from the stops of the route, named after their ends until the user types', async () => {
    server.answer(listRoutePatterns, answerOf(onlyPattern({ stop_ids: ids })));
    server.answer(insertRoutePattern, answerOf(whole, { ...short, name: 'Вокзал – Рынок' }));
    const { hand, address } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Add a pattern' }));
    await hand.click(box(/^Forward/, 'Школа'));
    expect(screen.getByRole('textbox', { name: 'Name of the pattern' })).toHaveValue(
      'Вокзал – Рынок',
    );
    await hand.click(screen.getByRole('button', { name: 'Add a pattern' }));
    await waitFor(() => expect(address()).toMatch(/pattern=81/));
    expect(server.asked(insertRoutePattern)[0]?.body).toMatchObject({
      name: 'Вокзал – Рынок',
      stop_ids: [500, 501, 510],
    });
  });

  it('are not added without a name, or with one that is too long', async () => {
    server.answer(listRoutePatterns, answerOf(onlyPattern({ stop_ids: ids })));
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Add a pattern' }));
    const name = screen.getByRole('textbox', { name: 'Name of the pattern' });
    await hand.clear(name);
    await hand.click(screen.getByRole('button', { name: 'Add a pattern' }));
    expect(name).toHaveAccessibleDescription('Please fill this in');
    await hand.click(name);
    await hand.paste('x'.repeat(256));
    expect(name).toHaveAccessibleDescription('At most 255 characters');
    await hand.click(screen.getByRole('button', { name: 'Add a pattern' }));
    expect(server.asked(insertRoutePattern)).toHaveLength(0);
  });

  it('become the default', async () => {
    const turned = answerOf({ ...short, default: true }, { ...whole, default: false });
    server.answer(updateRoutePattern, () => {
      server.answer(listRoutePatterns, turned);
      return turned;
    });
    const { hand, address } = await open('?pattern=81');
    await hand.click(await screen.findByRole('button', { name: 'Make it the default' }));
    await waitFor(() => expect(address()).not.toMatch(/pattern/));
    expect(server.asked(updateRoutePattern)[0]?.body).toMatchObject({ default: true });
    await waitFor(async () => expect(await chip(/Короткий/)).toHaveTextContent('default'));
  });

  it('are removed after a question', async () => {
    server.answer(deleteRoutePattern, answerOf(whole));
    const { hand, address } = await open('?pattern=81');
    await hand.click(await screen.findByRole('button', { name: 'Remove the pattern' }));
    const dialog = await screen.findByRole('dialog', { name: /Remove the pattern “Короткий”/ });
    await hand.click(within(dialog).getByRole('button', { name: 'Remove the pattern' }));
    await waitFor(() => expect(address()).not.toMatch(/pattern/));
    expect(server.asked(deleteRoutePattern)[0]?.params.patternId).toBe('81');
  });

  it('are only looked at without the edit right', async () => {
    await open('?pattern=81', { user: { ...owner, can_edit: false } });
    await screen.findByText('2 of 3 stops');
    expect(box(/^Forward/, 'Школа')).toBeDisabled();
    expect(screen.queryByRole('button', { name: /Make it|Remove|Add/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: /pattern/ })).not.toBeInTheDocument();
  });

  it('that the route does not have on the day say so', async () => {
    const { hand, address } = await open('?pattern=99');
    expect(await screen.findByText('There is no such pattern')).toBeVisible();
    await hand.click(screen.getByRole('button', { name: 'To the stops of the route' }));
    await waitFor(() => expect(address()).not.toMatch(/pattern/));
  });

  it('that cannot be loaded say so, and are asked for again', async () => {
    server.refuse(listRoutePatterns, 'internal');
    const { hand } = await open();
    expect(await screen.findByText(/The patterns could not be loaded/)).toBeVisible();
    server.answer(listRoutePatterns, answerOf(whole, short));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await chip(/Короткий/)).toBeVisible();
  });
});
