// A range that lies ahead is refused alike below the timeline and on it, by the same clock.
import { findBusInfo, findBusStatus, listBuses } from '@ridewatch/contract/buses';
import { listPeriods } from '@ridewatch/contract/fragments';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  at,
  bus,
  busInfo,
  busList,
  busStatus,
  fragment,
  page,
  serviceCamera,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';

it.each([
  ['its start lies ahead', '57600-57660', null, 'The start is still to come'],
  ['its end lies ahead', '53000-55000', null, 'The end is still to come'],
  ['the server is past its end', '57600-57660', at('16:10'), undefined],
] as const)('a range is drawn as it is judged: %s', async (_, span, last_seen_at, said) => {
  const server = freshServer();
  server.answer(findBusInfo, busInfo({ cameras: [serviceCamera(9)], gps_trackable: false }));
  server.answer(listBuses, busList([bus(7)]));
  const camera = { camera_id: 9, enabled: true, status: 'online', status_at: at('14:00') } as const;
  server.answer(findBusStatus, busStatus({ cameras: [camera], last_seen_at }));
  // The timeline shows the times of what is recorded.
  const recorded = [fragment(1, '14:00', { cameraId: 9 }), fragment(2, '17:00', { cameraId: 9 })];
  server.answer(listPeriods, page(recorded));
  await openScreen(server, `/bus/7/service?span=${span}`);
  const bar = await screen.findByRole('region', { name: 'Request from the registrar' });
  const refused = () => document.querySelector('[data-refused]');
  if (said === undefined) {
    await waitFor(() => expect(bar).toHaveTextContent('Drag along the timeline'));
    expect(refused()).toBeNull();
  } else {
    await waitFor(() => expect(bar).toHaveTextContent(said));
    await waitFor(() => expect(refused()).not.toBeNull());
  }
});
