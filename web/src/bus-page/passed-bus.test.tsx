// The page of a bus that has passed to another customer, for its former one: the days are there, the unit is not.
import { type BusInfo, findBusInfo, findBusStatus, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments, listPeriods } from '@ridewatch/contract/fragments';
import { findPosition, listDayLaps, listLaps } from '@ridewatch/contract/laps';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import {
  busInfo,
  busList,
  camera,
  dayFragments,
  fragment,
  lap,
  lapSummary,
  page,
  routeWithTrack,
  serviceCamera,
} from '../test/made.ts';
import { freshServer, openScreen } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';

let server: FakeServer;
const passed: Partial<BusInfo> = {
  ...{ last_own_day: '2026-03-10', last_seen_at: null, group: routeWithTrack(), clients: [] },
  cameras: [camera(1), serviceCamera(9, { liveurl: null, status: 'offline', enabled: false })],
};
const timezone = 'Europe/Moscow';
beforeEach(() => {
  server = freshServer();
  server.answer(findBusInfo, busInfo(passed));
  server.answer(listBuses, busList([]));
  server.answer(listDayFragments, dayFragments([fragment(1, '08:00')]));
  server.answer(listPeriods, page([fragment(2, '08:00', { cameraId: 9, status: 'LOADED' })]));
  // The lap in progress when the bus passed on, on the day that runs.
  const open = { open: true } as const;
  const one = { ...page([lapSummary(1, open)]), timezone, pending: false, failure: null };
  server.answer(listDayLaps, one);
  server.answer(listLaps, { ...page([lap(1, open)]), timezone });
});

it.each([
  ['ru_RU', 'был вашим по 10.03.2026'],
  ['en_US', 'yours until 10.03.2026'],
] as const)('in %s its title says: %s', async (language, said) => {
  await openScreen(server, '/bus/7/gps', { language });
  expect(await screen.findByText(said)).toBeVisible();
});

it('has its day, and asks for no position, also on the day on which it passed on', async () => {
  await openScreen(server, '/bus/7/gps');
  expect(await screen.findByRole('tab', { name: /^Lap ?1/ })).toBeVisible();
  expect(await screen.findByRole('list', { name: 'Stops of the lap' })).toBeVisible();
  expect(server.asked(findPosition)).toHaveLength(0);
});

it('has its recordings, and offers nothing that its unit would have to do', async () => {
  await openScreen(server, '/bus/7/service');
  const list = await screen.findByRole('region', { name: /^Fragments: / });
  expect(list).toHaveTextContent('08:00');
  expect(server.asked(findBusStatus)).toHaveLength(0);
  expect(screen.queryByRole('button', { name: /Fetch/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Update/ })).not.toBeInTheDocument();
});
