import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { findDayTrack, listDayLaps } from '@ridewatch/contract/laps';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { at, bus, busInfo, busList, dayFragments, fragment, owner, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

let server: FakeServer;
const serve = (more = {}) => server.answer(findBusInfo, busInfo({ gps_trackable: false, ...more }));
const serveDay = (served = [fragment(1, '08:00', { max_objects_count: 6 })]) =>
  server.answer(
    listDayFragments,
    dayFragments([...served, fragment(2, '08:10', { cameraId: 2 })], {}),
  );
const serveTrack = () =>
  server.answer(findDayTrack, {
    ...{ halts: [], timezone: 'Europe/Moscow' },
    items: [
      { latitude: 55.7, longitude: 37.6, time: at('06:10'), speed_kmh: 20 },
      { latitude: 55.71, longitude: 37.6, time: at('06:15'), speed_kmh: 30 },
    ],
  });
beforeEach(() => {
  server = freshServer();
  serve();
  serveDay();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayLaps, {
    ...page([]),
    ...{ timezone: 'Europe/Moscow', pending: false, failure: null },
  });
});
const open = (address = '/bus/7', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const choose = () => screen.findByRole('button', { name: /08:10/ });

it('the first sight of a day is the first fragment to review, without a place in address and history', async () => {
  const { hand, address } = await open();
  expect(await screen.findByRole('complementary', { name: 'Дверь 1' })).toHaveTextContent('08:00');
  expect(address()).not.toContain('fragment');
  await hand.click(await choose());
  await waitFor(() => expect(address()).toContain('fragment=2'));
});

it('the first sight of a day is what the address names, where it names something', async () => {
  await open('/bus/7?fragment=2');
  expect(await screen.findByRole('complementary', { name: 'Дверь 2' })).toBeVisible();
  expect(screen.queryByRole('complementary', { name: 'Дверь 1' })).not.toBeInTheDocument();
});

it('the first sight of a day is the map of the day where nothing is to be reviewed, for those who only look, too', async () => {
  serve({ gps_trackable: true });
  serveTrack();
  await open('/bus/7', { user: { ...owner, can_edit: false } });
  expect(await screen.findByText(/WebGL/)).toBeVisible();
  expect(screen.getByText('Choose a fragment to see its video')).toBeVisible();
});

it('the first sight of a day says how to see a video on a day without a track', async () => {
  serve({ gps_trackable: true });
  serveDay([]);
  server.answer(findDayTrack, { halts: [], items: [], timezone: 'Europe/Moscow' });
  await open();
  expect(await screen.findByText('Choose a fragment to see its video')).toBeVisible();
  expect(screen.queryByText(/WebGL/)).not.toBeInTheDocument();
});

it('the first sight of a day is past once somebody has chosen a fragment, were it before the paint', async () => {
  serve({ gps_trackable: true });
  serveTrack();
  const held: FrameRequestCallback[] = [];
  const frames = vi
    .spyOn(window, 'requestAnimationFrame')
    .mockImplementation((callback) => held.push(callback));
  const { hand } = await open();
  await hand.click(await choose());
  const panel = () => screen.queryByRole('complementary', { name: 'Дверь 2' });
  await waitFor(() => expect(panel()).toBeVisible());
  window.history.back();
  await waitFor(() => expect(panel()).not.toBeInTheDocument());
  frames.mockRestore();
  for (const callback of held) callback(performance.now());
  expect(await screen.findByText(/WebGL/)).toBeVisible();
  expect(screen.getByText('Choose a fragment to see its video')).toBeVisible();
});
