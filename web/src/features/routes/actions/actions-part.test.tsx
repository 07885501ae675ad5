import { type BusInfo, findBusInfo, listBuses } from '@ridewatch/contract/buses';
import {
  cancelLapRecalculation,
  findLapRecalculation,
  type LapRecalculation,
  recalculateLaps,
} from '@ridewatch/contract/lap-recalculation';
import { listDayLaps, listLaps } from '@ridewatch/contract/laps';
import type { RouteReplacement } from '@ridewatch/contract/route-proposal';
import {
  createRouteFromFile,
  findRoute,
  generateStops,
  listRouteStops,
  makeStopsFromLap,
  makeTrackFromLap,
  proposeStopsFromLap,
  type RouteFileAnswer,
  updateRouteFromFile,
} from '@ridewatch/contract/routes';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TODAY } from '../../../test/browser.ts';
import {
  at,
  bus,
  busInfo,
  busList,
  lap,
  lapSummary,
  page,
  routeStop,
  routeWithTrack,
} from '../../../test/made.ts';
import { freshServer, openScreen } from '../../../test/open.tsx';
import { type FakeServer, refusal } from '../../../test/server.ts';

const proposed = {
  name: 'Парк',
  latitude: 55.75,
  longitude: 37.6,
  routeDirection: 'FORWARD' as const,
};
const replaces: RouteReplacement = {
  track: true,
  stops: true,
  stops_kept: 1,
  stops_added: 2,
  stops_removed: 0,
  prices_removed: 0,
  patterns_removed: [],
};
const losing = { ...replaces, stops_removed: 2 };
let server: FakeServer;
const serve = (more: Partial<BusInfo> = {}) =>
  server.answer(findBusInfo, ({ query }) =>
    busInfo({ group: routeWithTrack(), date: query.get('date') ?? TODAY, ...more }),
  );
beforeEach(() => {
  server = freshServer();
  serve();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findRoute, routeWithTrack());
  server.answer(listRouteStops, { ...page([routeStop(0, 'Вокзал')]), near_stops: [] });
  server.answer(findLapRecalculation, { recalculation: null });
});
const open = (act?: string, opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, `/bus/7/route?part=actions${act ? `&act=${act}` : ''}`, opening);
const button = (name: RegExp | string) => screen.findByRole('button', { name });

describe('the actions of a route', () => {
  it('open one at a time, and the open one stands in the address', async () => {
    server.answer(listDayLaps, {
      ...page([]),
      timezone: 'Europe/Moscow',
      pending: false,
      failure: null,
    });
    const { hand, address } = await open();
    const file = await button(/^A route from a file/);
    expect(file).toHaveAttribute('aria-expanded', 'false');
    await hand.click(file);
    await waitFor(() => expect(address()).toContain('act=file'));
    await hand.click(await button(/^A route from a lap/));
    await waitFor(() => expect(address()).toContain('act=lap'));
    expect(file).toHaveAttribute('aria-expanded', 'false');
    expect(await screen.findByText(/There are no laps on this day/)).toBeVisible();
  });
});

describe('a route from a file', () => {
  const read: RouteFileAnswer = {
    proposal: {
      format: 'gpx',
      name: 'Новый маршрут',
      track: [
        { latitude: 55.7, longitude: 37.6 },
        { latitude: 55.8, longitude: 37.7 },
      ],
      stops: [proposed],
      choices: [],
      choice: null,
      ...{ ways: [], jumps: [], turn: null, patterns: [] },
      notes: ['Stops have no direction: all go forward.'],
    },
    replaces,
    group: null,
  };
  const gpx = new File(['<gpx/>'], 'route.gpx');
  const choose = async (file = gpx) => {
    const view = await open('file');
    await button('Choose a file');
    await view.hand.upload(screen.getByLabelText('Route file', { selector: 'input' }), file);
    return view;
  };

  it('is read first: one sees what is in it, and what it does to the route', async () => {
    server.answer(updateRouteFromFile, read);
    await choose();
    expect(await screen.findByText('2 track points')).toBeVisible();
    expect(screen.getAllByText('1 stop').length).toBeGreaterThan(0);
    expect(screen.getByText('Stops have no direction: all go forward.')).toBeVisible();
    expect(screen.getByText('1 stay, 2 come, 0 go.')).toBeVisible();
    expect(server.asked(updateRouteFromFile)[0]?.body).toMatchObject({
      preview: 'true',
      groupId: '5',
      valid_from: TODAY,
    });
  });

  it('that is a loop can be turned back at the farthest stop, or at another one', async () => {
    const turn = {
      stops: ['Вокзал', 'Рынок', 'Парк', 'Вокзал'],
      suggested: 2,
      chosen: null,
      told: null,
    };
    server.answer(updateRouteFromFile, ({ body }) => ({
      ...read,
      proposal: {
        ...read.proposal,
        turn: { ...turn, chosen: body.turn === undefined ? null : Number(body.turn) },
      },
    }));
    const { hand } = await choose();
    await hand.click(await screen.findByRole('button', { name: 'Turn here: Парк' }));
    const where = screen.getByRole('combobox', { name: 'Where buses turn back' });
    await waitFor(() => expect(where).toHaveDisplayValue('Парк (the farthest)'));
    expect(screen.queryByRole('button', { name: /Turn here/ })).not.toBeInTheDocument();
    await hand.selectOptions(where, 'Рынок');
    await waitFor(() => expect(where).toHaveDisplayValue('Рынок'));
    await hand.selectOptions(where, 'Nowhere: a circular route');
    expect(await screen.findByRole('button', { name: 'Turn here: Парк' })).toBeVisible();
    expect(server.asked(updateRouteFromFile).map(({ body }) => body.turn)).toEqual([
      undefined,
      '2',
      '1',
      undefined,
    ]);
  });

  it('says of a line how far it jumps', async () => {
    const choices = [
      { id: '0.0', name: 'Линия · 1/2', stops: 0, points: 40 },
      { id: '0', name: 'Линия', stops: 0, points: 90, jump_m: 5630 },
    ];
    server.answer(updateRouteFromFile, { ...read, proposal: { ...read.proposal, choices } });
    await choose();
    expect(await screen.findByRole('radio', { name: /^Линия.*a jump of 5\.6 km/ })).toBeVisible();
  });

  it('renews the route', async () => {
    server.answer(updateRouteFromFile, ({ body }) => ({
      ...read,
      group: body.preview === 'false' ? routeWithTrack() : null,
    }));
    const { hand, address } = await choose();
    await hand.click(await button('Update the route'));
    expect(await screen.findByText('Route “Маршрут 5” was updated')).toBeVisible();
    await waitFor(() => expect(address()).not.toContain('part'));
  });

  it('asks before stops go that the file does not have', async () => {
    server.answer(updateRouteFromFile, ({ body }) => ({
      ...read,
      replaces: { ...replaces, stops_removed: 3, prices_removed: 4 },
      group: body.preview === 'false' ? routeWithTrack() : null,
    }));
    const { hand } = await choose();
    await hand.click(await button('Update the route'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove 3 stops?' }));
    expect(dialog.getByText(/The prices of their rides end, too: 4/)).toBeVisible();
    expect(server.asked(updateRouteFromFile)).toHaveLength(1);
    await hand.click(dialog.getByRole('button', { name: 'Update the route' }));
    expect(await screen.findByText('Route “Маршрут 5” was updated')).toBeVisible();
  });

  it('makes a new route, under the name that the file has', async () => {
    server.answer(createRouteFromFile, ({ body }) => ({
      ...read,
      replaces: null,
      group: body.preview === 'false' ? routeWithTrack({ id: 9, name: 'Новый маршрут' }) : null,
    }));
    server.answer(updateRouteFromFile, read);
    const { hand, address } = await choose();
    await hand.click(await button('Make a new one'));
    const name = await screen.findByRole('textbox', { name: 'Name of the route' });
    expect(name).toHaveValue('Новый маршрут');
    await waitFor(() => expect(server.asked(createRouteFromFile)).toHaveLength(1));
    await hand.click(await button('Create the route'));
    expect(await screen.findByText('Route “Новый маршрут” was created')).toBeVisible();
    await waitFor(() => expect(address()).toContain('route=9'));
  });

  it('that could not be read says why', async () => {
    server.answer(updateRouteFromFile, () =>
      refusal('invalid_request', { message: 'The file ends in the middle.' }),
    );
    await choose();
    expect(
      await screen.findByText('This file could not be read: The file ends in the middle.'),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Update the route' })).not.toBeInTheDocument();
  });

  it('that has several routes asks which one is meant', async () => {
    const choices = [
      { id: 'a', name: 'Маршрут А', stops: 4, points: 0 },
      { id: 'b', name: 'Маршрут Б', stops: 0, points: 12 },
    ];
    server.answer(updateRouteFromFile, ({ body }) => ({
      ...read,
      proposal: { ...read.proposal, choices, choice: body.choice ?? null },
    }));
    const { hand } = await choose();
    await screen.findByText('The file has several routes: choose one.');
    expect(await button('Update the route')).toBeDisabled();
    await hand.click(screen.getByRole('radio', { name: /Маршрут Б/ }));
    await waitFor(() =>
      expect(server.asked(updateRouteFromFile).at(-1)?.body).toMatchObject({ choice: 'b' }),
    );
    await waitFor(async () => expect(await button('Update the route')).toBeEnabled());
  });
});

describe('a route from a lap', () => {
  beforeEach(() => {
    server.answer(listDayLaps, {
      ...page([lapSummary(1, { incomplete: 'short_turn' }), lapSummary(2)]),
      timezone: 'Europe/Moscow',
      pending: false,
      failure: null,
    });
    server.answer(listLaps, { ...page([lap(2)]), timezone: 'Europe/Moscow' });
    server.answer(proposeStopsFromLap, { items: [proposed], replaces });
    server.answer(makeTrackFromLap, routeWithTrack());
    server.answer(makeStopsFromLap, { ...page([]), near_stops: [] });
  });

  it('takes track and stops of the first whole lap', async () => {
    const { hand } = await open('lap');
    await screen.findByText('1 stay, 2 come, 0 go.');
    await hand.click(await button('Create from the lap'));
    expect(await screen.findByText('The route now follows the lap')).toBeVisible();
    const body = { lapId: 102, workplaceId: 7, valid_from: TODAY };
    expect(server.asked(makeTrackFromLap)[0]?.body).toEqual(body);
    expect(server.asked(makeStopsFromLap)[0]?.body).toMatchObject({ ...body, groupId: 5 });
  });

  it('takes the track alone', async () => {
    const { hand } = await open('lap');
    await screen.findByText('1 stay, 2 come, 0 go.');
    await hand.click(screen.getByRole('checkbox', { name: 'Stops' }));
    expect(screen.queryByText('1 stay, 2 come, 0 go.')).not.toBeInTheDocument();
    await hand.click(await button('Create from the lap'));
    await screen.findByText('The route now follows the lap');
    expect(server.asked(makeStopsFromLap)).toHaveLength(0);
  });

  it('takes nothing when nothing is wanted', async () => {
    const { hand } = await open('lap');
    await screen.findByText('1 stay, 2 come, 0 go.');
    await hand.click(screen.getByRole('checkbox', { name: 'Stops' }));
    await hand.click(screen.getByRole('checkbox', { name: 'Track' }));
    expect(await button('Create from the lap')).toBeDisabled();
  });

  it('asks before stops go', async () => {
    server.answer(proposeStopsFromLap, { items: [proposed], replaces: losing });
    const { hand } = await open('lap');
    await screen.findByText('1 stay, 2 come, 2 go.');
    await hand.click(await button('Create from the lap'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove 2 stops?' }));
    await hand.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(server.asked(makeTrackFromLap)).toHaveLength(0);
  });

  it('that is refused says so, and nothing else happens', async () => {
    server.refuse(makeTrackFromLap, 'no_right');
    const { hand } = await open('lap');
    await screen.findByText('1 stay, 2 come, 0 go.');
    await hand.click(await button('Create from the lap'));
    expect(await screen.findByRole('alert')).toHaveTextContent('You have no right to do this');
    expect(server.asked(makeStopsFromLap)).toHaveLength(0);
  });
});

describe("stops from a day's halts", () => {
  it('are shown first, then saved', async () => {
    server.answer(generateStops, { items: [proposed], replaces: losing });
    const { hand } = await open('halts');
    await hand.click(await button(/^Show the stops/));
    expect(await screen.findByText('1 stay, 2 come, 2 go.')).toBeVisible();
    await hand.click(await button('Save the stops'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove 2 stops?' }));
    await hand.click(dialog.getByRole('button', { name: 'Update the route' }));
    expect(await screen.findByText('The stops are saved')).toBeVisible();
    expect(server.asked(generateStops).map(({ body }) => body.save)).toEqual([false, true]);
  });

  it('are none when the bus did not stand', async () => {
    server.answer(generateStops, { items: [], replaces: null });
    const { hand } = await open('halts');
    await hand.click(await button(/^Show the stops/));
    expect(await screen.findByText('No halts were found on this day.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save the stops' })).not.toBeInTheDocument();
  });

  it('need a route', async () => {
    serve({ group: null });
    await open('halts');
    expect(await screen.findByText(/The bus has to be on a route/)).toBeVisible();
  });
});

describe('the recalculation of past days', () => {
  const change = {
    date: '2026-03-02',
    laps_before: 3,
    laps_after: 4,
    revenue_before: '100.00',
    revenue_after: '150.50',
  };
  const running: LapRecalculation = {
    id: 1,
    dateFrom: '2026-03-01',
    dateTo: TODAY,
    created_at: at('12:00'),
    state: 'running',
    total: 10,
    done: 4,
    items: [change],
    failed: [],
  };
  const preview = { recalculation: null, items: [change], failed: [], looked_until: TODAY };

  it('shows first which days would change, then begins', async () => {
    server.answer(recalculateLaps, ({ body }) =>
      body.preview
        ? preview
        : { recalculation: running, items: [], failed: [], looked_until: null },
    );
    const { hand } = await open('recalculate');
    await hand.click(await button('Show the changes'));
    server.answer(findLapRecalculation, { recalculation: running });
    const changes = await screen.findByRole('table', { name: 'Changes by day' });
    expect(within(changes).getByRole('row', { name: /^02.03.2026/ })).toHaveTextContent('3 → 4');
    await hand.click(await button('Recalculate 1 day'));
    expect(await screen.findByText('4 of 10 recalculated')).toBeVisible();
    expect(server.asked(recalculateLaps).map(({ body }) => body.preview)).toEqual([true, false]);
  });

  it('says that no day would change', async () => {
    server.answer(recalculateLaps, { ...preview, items: [] });
    const { hand } = await open('recalculate');
    await hand.click(await button('Show the changes'));
    expect(await screen.findByText('No day would change.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Recalculate \d/ })).not.toBeInTheDocument();
  });

  it('can be stopped', async () => {
    server.answer(findLapRecalculation, { recalculation: running });
    const stopped = { recalculation: { ...running, state: 'cancelled' as const } };
    server.answer(cancelLapRecalculation, () => {
      server.answer(findLapRecalculation, stopped);
      return stopped;
    });
    const { hand } = await open('recalculate');
    await hand.click(await button('Stop'));
    expect(await screen.findByText(/^Stopped: 4 of 10 recalculated/)).toBeVisible();
  });

  it('says that other days are being recalculated', async () => {
    server.refuse(recalculateLaps, 'conflict');
    const { hand } = await open('recalculate');
    await hand.click(await button('Show the changes'));
    expect(await screen.findByText(/Other days of this bus are being recalculated/)).toBeVisible();
  });
});
