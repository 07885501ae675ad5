// A range whose video comes again, because an attempt has failed.
import {
  findBusInfo,
  findBusStatus,
  listBuses,
  type RangeRequest,
} from '@ridewatch/contract/buses';
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

it('a range of which an attempt failed says why, and when the next one is, as its row does', async () => {
  const failed = { reason: 'not_a_video', detail: null } as const;
  const request: RangeRequest = {
    ...{ id: 31, camera_ids: [9], start_time: at('08:00'), end_time: at('08:30') },
    ...{ asked_at: at('14:59'), state: 'accepted', reason: null, detail: null },
    ...{ total: 18, here: 12, percent: 99, waits_for: 'unit' },
    failed_try: { ...failed, next_at: at('15:05') },
  };
  const server = freshServer();
  const info = busInfo({ cameras: [serviceCamera(9)], gps_trackable: false });
  server.answer(findBusInfo, info);
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findBusStatus, busStatus({ requests: [request] }));
  const tried = fragment(5, '08:00', {
    ...{ cameraId: 9, status: 'LOADING', playback_uri: null, video: null },
    ...{ fail_reason: 'not_a_video', next_try_at: at('15:05') },
  });
  server.answer(listPeriods, page([tried]));
  await openScreen(server, '/bus/7/service');
  const why = 'again at 15:05: The registrar sent no video, or one of a format';
  const requests = await screen.findByRole('list', { name: 'Requests to the registrar' });
  await waitFor(() => expect(requests).toHaveTextContent(`an attempt failed, ${why}`));
  expect(requests).not.toHaveTextContent('nothing arrives at the moment');
  await waitFor(async () =>
    expect(await screen.findByRole('region', { name: /^Fragments: / })).toHaveTextContent(
      `attempt failed ${why}`,
    ),
  );
});
