import { type BusInfo, findBusInfo, listBuses } from '@ridewatch/contract/buses';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { listDayFragments } from '@ridewatch/contract/fragments';
import {
  findPosition,
  findStopStat,
  type LapStop,
  type LapSummary,
  listDayLaps,
  listLaps,
} from '@ridewatch/contract/laps';
import { findRoute, listRouteStops } from '@ridewatch/contract/routes';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import {
  at,
  bus,
  busInfo,
  busList,
  dayFragments,
  fragment,
  halt,
  lap,
  lapStop,
  lapSummary,
  page,
  routeStop,
  routeWithTrack,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
const serve = (more: Partial<BusInfo> = {}) =>
  server.answer(findBusInfo, busInfo({ group: routeWithTrack(), ...more }));
const serveDay = (items: LapSummary[], more: Partial<ResponseOf<typeof listDayLaps>> = {}) =>
  server.answer(listDayLaps, {
    ...page(items),
    timezone: 'Europe/Moscow',
    pending: false,
    failure: null,
    ...more,
  });
const serveLap = (one: ReturnType<typeof lap>) =>
  server.answer(listLaps, { ...page([one]), timezone: 'Europe/Moscow' });
const stops: LapStop[] = [
  lapStop(0, 'Вокзал', { segments: [1] }),
  lapStop(1, 'Рынок'),
  lapStop(2, 'Школа', { arrival: null, departure: null, skipped: 'passed', evidence: null }),
];
beforeEach(() => {
  server = freshServer();
  serve();
  server.answer(listBuses, busList([bus(7)]));
  serveDay([lapSummary(1), lapSummary(2)]);
  server.answer(listLaps, ({ query }) => ({
    ...page([lap(Number(query.get('lapId')) - 100, { busStopDtoList: stops })]),
    timezone: 'Europe/Moscow',
  }));
  server.answer(listDayFragments, dayFragments([fragment(1, '06:10:20')]));
  server.answer(findStopStat, { items: [{ from: '08:00', entered: 5, exited: 2 }] });
});
const open = (address = '/bus/7/gps?date=2026-03-10', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const lapTab = (named: RegExp | string) => screen.findByRole('tab', { name: named });
const list = () => screen.findByRole('list', { name: 'Stops of the lap' });
const stop = async (named: RegExp) => within(await list()).getByRole('button', { name: named });

describe('the laps of a day', () => {
  it('are tabs along its time; today the last one is open', async () => {
    await open('/bus/7/gps');
    expect(await lapTab(/^Lap ?2/)).toHaveAttribute('aria-selected', 'true');
    expect(await lapTab(/^Lap ?1/)).toHaveTextContent('06:00– 06:50, +30 −29');
    expect(screen.getByRole('tab', { name: 'Route track' })).toBeVisible();
  });

  it('are gone through with the arrow keys', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1');
    (await lapTab(/^Lap ?1/)).focus();
    await hand.keyboard('{ArrowRight}');
    await waitFor(() => expect(address()).toContain('lap=2'));
    expect(await lapTab(/^Lap ?2/)).toHaveFocus();
  });

  it('clear the chosen stop when another lap is opened', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1&stop=1');
    await hand.click(await lapTab(/^Lap ?2/));
    await waitFor(() => expect(address()).toContain('lap=2'));
    expect(address()).not.toContain('stop');
  });

  it('that are not whole say why', async () => {
    serveDay([lapSummary(1, { incomplete: 'short_turn' })]);
    await open();
    expect(await lapTab(/short turn/)).toBeVisible();
  });

  it.each([
    [{ pending: true }, 'The laps are being calculated'],
    [{ failure: 'too_long' }, 'The laps are not calculated'],
    [{}, 'There is no track of today yet'],
  ] as const)('of which there are none, with %j, say: %s', async (state, title) => {
    serve({ group: null });
    serveDay([], state);
    await open();
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  });

  it('say that the last calculation was broken off', async () => {
    serveDay([lapSummary(1)], { failure: 'too_large' });
    await open();
    expect(await screen.findByText(/the day has too many records/)).toBeVisible();
  });

  it('say that they could not be loaded, and load when they are asked again', async () => {
    server.refuse(listDayLaps, 'internal');
    const { hand } = await open();
    await screen.findByRole('heading', { name: 'The laps could not be loaded' });
    serveDay([lapSummary(1)]);
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await lapTab(/^Lap ?1/)).toBeVisible();
  });
});

describe('a lap', () => {
  it('says when it was, who rode, how full the bus was and how many stops it made', async () => {
    await open('/bus/7/gps?lap=1');
    await list();
    const figures = screen.getByRole('region', { name: 'Lap 1' });
    expect(figures).toHaveTextContent('06:00–06:50');
    expect(figures).toHaveTextContent('Entered30');
    expect(figures).toHaveTextContent('Exited29');
    expect(figures).toHaveTextContent('Greatest load21 people · 42 % of places');
    expect(figures).toHaveTextContent('2 of 3');
  });

  it('says what is odd about it', async () => {
    const odd = lapSummary(1, {
      imbalanced: true,
      imbalance_percent: 14,
      drift: 5,
      unplaced: 2,
      no_price: 3,
      incomplete: 'detour',
    });
    serveDay([odd]);
    serveLap(lap(1, odd));
    await open('/bus/7/gps?lap=1');
    await list();
    const figures = screen.getByRole('region', { name: 'Lap 1' });
    for (const said of ['imbalance 14 %', '2 passengers without a stop', 'no price: 3', 'detour']) {
      expect(figures).toHaveTextContent(said);
    }
  });

  it('brings what the price table says', async () => {
    const paid = { revenue: '1234.50', revenue_error: '45.00' };
    serveDay([lapSummary(1, paid)]);
    serveLap(lap(1, paid));
    await open('/bus/7/gps?lap=1');
    await list();
    expect(screen.getByRole('region', { name: 'Lap 1' })).toHaveTextContent('1 234,50 ₽');
  });

  it('lists its stops: when the bus was there, who got on and off, and where it did not stop', async () => {
    await open('/bus/7/gps?lap=1');
    const rows = within(await list()).getAllByRole('button');
    expect(rows.map((row) => row.textContent?.replaceAll('\u00a0', ' '))).toEqual([
      'Вокзал06:10:00 · 1 min+10−46',
      'Рынок06:15:00 · 1 min+10−46',
      'Школаdrove past',
    ]);
  });

  it('says when the bus drove past a stop: in the list, and in its facts once it is chosen', async () => {
    const gone = { arrival: null, departure: null, evidence: null };
    const busStopDtoList = [
      lapStop(0, 'Вокзал'),
      lapStop(1, 'Рынок', { ...gone, skipped: 'passed', passed_at: at('06:15') }),
      lapStop(2, 'Школа', { ...gone, skipped: 'not_driven' }),
    ];
    serveLap(lap(1, { busStopDtoList }));
    const { hand } = await open('/bus/7/gps?lap=1');
    const rows = within(await list()).getAllByRole('button');
    expect(rows.slice(1).map((row) => row.textContent)).toEqual([
      'Рынок06:15:00 · drove past',
      'Школаdid not get there',
    ]);
    await hand.click(await stop(/Рынок/));
    expect(await screen.findByText(/Forward · 06:15:00 · drove past/)).toBeVisible();
  });

  it('shows pauses away from stops when that is wanted', async () => {
    serveLap(lap(1, { busStopDtoList: stops, halts: [halt('06:13')] }));
    const { hand } = await open('/bus/7/gps?lap=1');
    await list();
    await hand.click(screen.getByRole('checkbox', { name: /Pauses/ }));
    expect(await stop(/^Pause/)).toBeVisible();
  });

  it('could not be loaded, and is loaded when it is asked again', async () => {
    server.refuse(listLaps, 'internal');
    const { hand } = await open('/bus/7/gps?lap=1');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The lap could not be loaded.');
    serveLap(lap(1));
    await hand.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await list()).toBeVisible();
  });

  it('without stops says that only its track is known', async () => {
    serveLap(lap(1, { busStopDtoList: [] }));
    await open('/bus/7/gps?lap=1');
    expect(await screen.findByRole('heading', { name: 'No stops' })).toBeVisible();
  });

  it('stays on the map while others are looked at, when it is pinned', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1');
    await list();
    await hand.click(screen.getByRole('button', { name: 'Pin the track' }));
    await waitFor(() => expect(address()).toContain('pin=1'));
    await hand.click(await lapTab(/^Lap ?2/));
    await hand.click(await screen.findByRole('button', { name: 'Unpin: Lap 1' }));
    await waitFor(() => expect(address()).not.toContain('pin'));
  });
});

describe('a stop of a lap', () => {
  it('tells why the visit is believed, and shows the statistics of three months', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1');
    await hand.click(await stop(/Вокзал/));
    await waitFor(() => expect(address()).toContain('stop=0'));
    const detail = await screen.findByRole('region', { name: 'Вокзал' });
    expect(detail).toHaveTextContent('stood at the stop, 8 m, confidence 90 %');
    const table = await within(detail).findByRole('table');
    // A row for each weekday and one for all, the hour and the sum.
    expect(within(table).getAllByRole('row')).toHaveLength(9);
    expect(within(table).getAllByRole('cell', { name: '5' })).toHaveLength(14);
    await hand.click(within(detail).getByRole('button', { name: 'Exited' }));
    expect(within(table).getAllByRole('cell', { name: '2' })).toHaveLength(14);
  });

  it('plays what the doors recorded while the bus stood there', async () => {
    const { hand } = await open('/bus/7/gps?lap=1');
    await hand.click(await stop(/Вокзал/));
    expect(await screen.findByRole('complementary', { name: 'Дверь 1' })).toBeVisible();
  });

  it('plays with Space after a click in the list, and at once with Autoplay', async () => {
    const { hand } = await open('/bus/7/gps?lap=1');
    const video = () => document.querySelector('video:not([aria-hidden])') as HTMLVideoElement;
    const choose = async () => {
      await hand.click(await stop(/Вокзал/));
      await screen.findByRole('complementary', { name: 'Дверь 1' });
      fireEvent.loadedMetadata(video());
    };
    await choose();
    expect(video().paused).toBe(true);
    await hand.keyboard('[Space]');
    expect(video().paused).toBe(false);
    await hand.keyboard('[Space]');
    expect(video().paused).toBe(true);
    await hand.click(screen.getByRole('checkbox', { name: 'Autoplay' }));
    await hand.keyboard('{Escape}');
    await choose();
    expect(video().paused).toBe(false);
    await hand.click(screen.getByRole('checkbox', { name: 'Autoplay' }));
  });

  it('without recordings says so', async () => {
    const { hand } = await open('/bus/7/gps?lap=1');
    await hand.click(await stop(/Школа/));
    expect(await screen.findByText('The bus drove past without stopping.')).toBeVisible();
  });

  it('is left with Esc, and the next one is chosen with the keys', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1&stop=0');
    await list();
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(address()).toContain('stop=1'));
    await hand.keyboard('{Escape}');
    await waitFor(() => expect(address()).not.toContain('stop'));
    expect(screen.getByText('Passengers inside from stop to stop')).toBeInTheDocument();
  });

  it('of which the statistics did not come says so', async () => {
    server.refuse(findStopStat, 'internal');
    await open('/bus/7/gps?lap=1&stop=0');
    expect(await screen.findByText('The statistics could not be loaded.')).toBeVisible();
  });

  it('covers a phone from below, and is left with a button', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1&stop=0', { device: 'phone' });
    const sheet = await screen.findByRole('region', { name: 'Stops of the lap' });
    expect(within(sheet).getAllByRole('heading', { name: 'Вокзал' })[0]).toBeVisible();
    await hand.click(await within(sheet).findByRole('button', { name: 'Statistics' }));
    expect(await within(sheet).findByRole('table')).toBeVisible();
    await hand.click(within(sheet).getByRole('button', { name: 'Show the whole lap' }));
    await waitFor(() => expect(address()).not.toContain('stop'));
  });
});

describe('the lap that is driven', () => {
  beforeEach(() => {
    const driven = { open: true, end: NOW };
    serveDay([lapSummary(1, driven)]);
    serveLap(lap(1, driven));
    server.answer(findPosition, {
      latitude: 55.7,
      longitude: 37.6,
      direction: 90,
      speed_kmh: 23.4,
      time: NOW,
      state: 'moving',
    });
  });

  it('shows where the bus is now, and how fast it drives', async () => {
    const { hand } = await open('/bus/7/gps');
    expect(await screen.findByText(/now: moving/)).toHaveTextContent('23 km/h');
    const follow = screen.getByRole('checkbox', { name: 'Follow the bus' });
    expect(follow).toBeChecked();
    await hand.click(follow);
    expect(follow).not.toBeChecked();
  });

  it('asks for no position of a lap that is over', async () => {
    serveDay([lapSummary(1)]);
    serveLap(lap(1));
    await open('/bus/7/gps');
    await list();
    expect(server.asked(findPosition)).toHaveLength(0);
  });

  it('says from when on newer data wait to be calculated', async () => {
    serveDay([lapSummary(1, { open: true, end: at('14:50') })], { pending: true });
    await open('/bus/7/gps');
    expect(await screen.findByText('calculated until 14:50')).toBeVisible();
  });
});

describe('the track of the route', () => {
  beforeEach(() => {
    server.answer(findRoute, routeWithTrack());
    server.answer(listRouteStops, {
      ...page([routeStop(0, 'Вокзал', { terminal: 'first' }), routeStop(1, 'Рынок')]),
      near_stops: [],
    });
  });

  it('lists the stops of the route, and leads to where they are edited', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=route');
    const stopsOf = await screen.findByRole('list', { name: 'Stops of the route' });
    expect(
      within(stopsOf)
        .getAllByRole('button')
        .map((row) => row.textContent),
    ).toEqual(['Вокзал', 'Рынок']);
    await hand.click(screen.getByRole('link', { name: 'Edit' }));
    await waitFor(() => expect(address()).toMatch(/\/bus\/7\/route$/));
  });

  it('shows what is known of a stop of it', async () => {
    const { hand } = await open('/bus/7/gps?lap=route');
    const stopsOf = await screen.findByRole('list', { name: 'Stops of the route' });
    await hand.click(within(stopsOf).getByRole('button', { name: 'Рынок' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });

  it('that has none says where one comes from', async () => {
    server.answer(findRoute, routeWithTrack({ track: [] }));
    server.answer(listRouteStops, { ...page([]), near_stops: [] });
    await open('/bus/7/gps?lap=route');
    expect(await screen.findByRole('heading', { name: 'The route has no track' })).toBeVisible();
  });

  it('is coloured by nothing but the track of a lap: the choice is not there', async () => {
    await open('/bus/7/gps?lap=route');
    await screen.findByRole('list', { name: 'Stops of the route' });
    expect(screen.queryByRole('group', { name: 'Colour of the track' })).not.toBeInTheDocument();
  });
});

describe('the map of a lap', () => {
  it('says that this browser cannot draw it; the rest works without', async () => {
    await open('/bus/7/gps?lap=1');
    expect(await screen.findByText(/This browser cannot draw a map/)).toBeVisible();
  });

  it('is coloured by speed or by the passengers inside, with a legend', async () => {
    const { hand, address } = await open('/bus/7/gps?lap=1');
    const colours = await screen.findByRole('group', { name: 'Colour of the track' });
    await hand.click(within(colours).getByRole('button', { name: 'Speed' }));
    await waitFor(() => expect(address()).toContain('colour=speed'));
    expect(screen.getByText('km/h')).toBeVisible();
    await hand.click(within(colours).getByRole('button', { name: 'Track' }));
    await waitFor(() => expect(address()).not.toContain('colour'));
  });
});
