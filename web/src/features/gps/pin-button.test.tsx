import { findBusInfo, listBuses } from '@ridewatch/contract/buses';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { listDayLaps, listLaps } from '@ridewatch/contract/laps';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  bus,
  busInfo,
  busList,
  dayFragments,
  lap,
  lapStop,
  lapSummary,
  page,
  routeWithTrack,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';

it('a press on the button that pins a track counts, though the lap comes before the release', async () => {
  const server = freshServer();
  const timezone = 'Europe/Moscow';
  server.answer(findBusInfo, busInfo({ group: routeWithTrack() }));
  server.answer(listBuses, busList([bus(7)]));
  server.answer(listDayFragments, dayFragments([]));
  server.answer(listDayLaps, {
    ...page([lapSummary(1)]),
    ...{ timezone, pending: false, failure: null },
  });
  let send = () => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  server.answer(listLaps, async () => {
    await sent;
    return { ...page([lap(1, { busStopDtoList: [lapStop(0, 'Вокзал')] })]), timezone };
  });
  const { hand, address } = await openScreen(server, '/bus/7/gps?date=2026-03-10');
  const button = await screen.findByRole('button', { name: 'Pin the track' });
  await hand.pointer({ keys: '[MouseLeft>]', target: button });
  send();
  await screen.findByRole('list', { name: 'Stops of the lap' });
  await hand.pointer({ keys: '[/MouseLeft]', target: button });
  await waitFor(() => expect(address()).toContain('pin=1'));
});
