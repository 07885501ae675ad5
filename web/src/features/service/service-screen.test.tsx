import {
  type BusInfo,
  type BusStatus,
  findBusInfo,
  findBusStatus,
  listBuses,
  type RangeRequest,
  updateBusStatus,
} from '@ridewatch/contract/buses';
import { type Fragment, fetchFragment, listPeriods } from '@ridewatch/contract/fragments';
import { listDayLaps } from '@ridewatch/contract/laps';
import { findLive, startLive } from '@ridewatch/contract/live';
import { cancelPreload, preloadRange, type UnaskedPart } from '@ridewatch/contract/preload';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  at,
  bus,
  busInfo,
  busList,
  busStatus,
  camera,
  faraway,
  fragment,
  page,
  serviceCamera,
} from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const cabin = serviceCamera(9, { liveurl: '/api/live/9' });
const recorded = [
  fragment(1, '08:00', { cameraId: 9, status: 'LOADED' }),
  faraway(2, '08:30', { cameraId: 9 }),
];
let server: FakeServer;
const serve = (more: Partial<BusInfo> = {}) =>
  server.answer(
    findBusInfo,
    busInfo({ cameras: [camera(1), cabin], gps_trackable: false, ...more }),
  );
const saidOf = (id: number, status: 'online' | 'offline'): BusStatus['cameras'][number] => ({
  camera_id: id,
  enabled: status === 'online',
  status,
  status_at: at('14:00'),
});
beforeEach(() => {
  server = freshServer();
  serve();
  server.answer(listBuses, busList([bus(7)]));
  server.answer(findBusStatus, busStatus({ cameras: [saidOf(9, 'online')] }));
  server.answer(listPeriods, page(recorded));
});
const open = (address = '/bus/7/service', opening?: Parameters<typeof openScreen>[2]) =>
  openScreen(server, address, opening);
const list = () => screen.findByRole('region', { name: /^Fragments: / });

describe('the cabin', () => {
  it('lists what its camera recorded, and in which state that is', async () => {
    await open();
    const rows = within(await list()).getAllByRole('button');
    expect(rows.map((row) => row.textContent)).toEqual([
      '08:00:000:30ready',
      '08:30:000:30on the registrar',
    ]);
  });

  it('calls a recording the same in the list and on the scale', async () => {
    await open();
    const [ready] = within(await list()).getAllByRole('button');
    expect(within(ready ?? document.body).getByText('ready')).toHaveAttribute(
      'title',
      'The video is ready.',
    );
    const scale = screen.getByRole('region', { name: 'Recordings of the day' });
    expect(within(scale).getByText('ready')).toBeVisible();
    const hours = within(scale).getByRole('slider');
    const [from = 0, to = 0] = (hours.dataset.view ?? '').split('-').map(Number);
    const at = Date.parse(recorded[0]?.start_time ?? '') + 1_000;
    const clientX = ((at - from) / (to - from)) * 1000;
    fireEvent.pointerMove(hours, { clientX, clientY: 20, pointerType: 'mouse' });
    expect(within(hours).getByText('ready')).toBeVisible();
  });

  it('plays a fragment that is chosen', async () => {
    const { hand, address } = await open();
    await hand.click(within(await list()).getByRole('button', { name: /08:00/ }));
    await waitFor(() => expect(address()).toContain('fragment=1'));
    const player = await screen.findByRole('complementary', { name: 'Салон 9' });
    expect(within(player).getByRole('button', { name: 'Play' })).toBeVisible();
    // Service cameras do not count.
    expect(within(player).queryByText('+4')).not.toBeInTheDocument();
  });

  it('fetches the video of a fragment that is still on the registrar', async () => {
    server.answer(fetchFragment, faraway(2, '08:30', { status: 'DOWNLOADING_FROM_TASK' }));
    const { hand } = await open('/bus/7/service?fragment=2');
    await hand.click(await screen.findByRole('button', { name: 'Fetch the video' }));
    await waitFor(() => expect(server.asked(fetchFragment)[0]?.params.segmentId).toBe('2'));
  });

  it('goes from fragment to fragment with the keys', async () => {
    const { hand, address } = await open('/bus/7/service?fragment=1');
    await list();
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(address()).toContain('fragment=2'));
    await hand.keyboard('{ArrowDown}');
    await waitFor(() => expect(address()).not.toContain('fragment'));
  });

  it('says that nothing was recorded, and what can be done', async () => {
    server.answer(listPeriods, page<Fragment>([]));
    await open();
    expect(await screen.findByText(/The camera reported nothing on this day/)).toHaveTextContent(
      'request it from the registrar',
    );
  });

  it('says that the recordings did not load', async () => {
    server.refuse(listPeriods, 'internal');
    const { hand } = await open();
    await screen.findByRole('heading', { name: 'The recordings did not load' });
    server.answer(listPeriods, page(recorded));
    await hand.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await list()).toBeVisible();
  });

  it('says that the state of its cameras did not load, besides the toast', async () => {
    server.refuse(findBusStatus, 'internal');
    const { hand } = await open();
    const failed = await screen.findByText(/Could not load: the state of cameras and requests/);
    expect(failed).toBeVisible();
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
    server.answer(findBusStatus, busStatus({ cameras: [saidOf(9, 'online')] }));
    await hand.click(within(failed).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(failed).not.toBeInTheDocument());
  });

  it('says that the laps of the day did not load, on their line of the scale', async () => {
    serve({ gps_trackable: true });
    server.refuse(listDayLaps, 'internal');
    await open();
    expect(await screen.findByText('Laps and stops did not load')).toBeVisible();
  });

  it('lets one choose among its cameras', async () => {
    serve({ cameras: [camera(1), cabin, serviceCamera(10)] });
    const { hand, address } = await open();
    const cameras = await screen.findByRole('group', { name: 'Cabin cameras' });
    await hand.click(within(cameras).getByRole('button', { name: /Салон 10/ }));
    await waitFor(() => expect(address()).toContain('camera=10'));
    await waitFor(() => expect(server.asked(listPeriods).at(-1)?.params.cameraId).toBe('10'));
  });
});

describe('a camera of the cabin that is offline', () => {
  beforeEach(() => server.answer(findBusStatus, busStatus({ cameras: [saidOf(9, 'offline')] })));

  it('says so, and since when', async () => {
    await open();
    const notice = await screen.findByRole('region', { name: 'Camera is offline' });
    expect(notice).toHaveTextContent('Last heard: 10.03.2026 14:00:00');
  });

  it('is named beside the state of what it recorded', async () => {
    serve({ cameras: [camera(1), serviceCamera(9, { status: 'offline' })] });
    await open();
    const [first] = within(await list()).getAllByRole('button');
    expect(first).toHaveTextContent('ready camera offline');
  });

  it('has its bus asked, and tells the answer', async () => {
    const update = {
      asked_at: at('15:00'),
      state: 'timed_out' as const,
      reason: null,
      detail: null,
    };
    server.answer(updateBusStatus, busStatus({ cameras: [saidOf(9, 'offline')], update }));
    const { hand } = await open();
    await hand.click(await screen.findByRole('button', { name: 'Update status' }));
    expect(await screen.findByText(/The bus did not answer within a minute/)).toBeVisible();
  });

  it('sends nothing that is asked of its registrar', async () => {
    await open('/bus/7/service?span=28800-30600');
    const bar = await screen.findByRole('region', { name: 'Request from the registrar' });
    await waitFor(() => expect(bar).toHaveTextContent('Camera is offline'));
    expect(within(bar).getByRole('button', { name: 'From this camera' })).toBeDisabled();
  });
});

describe('a range that is asked of the registrar', () => {
  const bar = () => screen.findByRole('region', { name: 'Request from the registrar' });

  it('is refused while nothing is selected, and when it is longer than an hour', async () => {
    const { unmount } = await open();
    expect(await bar()).toHaveTextContent('Nothing selected');
    unmount();
    await open('/bus/7/service?span=28800-32401');
    expect(await bar()).toHaveTextContent('Selected section too large, choose less than an hour');
  });

  it('is refused while it lies ahead, by the end that does', async () => {
    const { unmount } = await open('/bus/7/service?span=57600-57660');
    expect(await bar()).toHaveTextContent('The start is still to come');
    unmount();
    await open('/bus/7/service?span=53000-55000');
    expect(await bar()).toHaveTextContent('The end is still to come');
    expect(within(await bar()).getByRole('button', { name: 'From this camera' })).toBeDisabled();
  });

  it('is asked of this camera, or of all', async () => {
    server.answer(preloadRange, { ...page([]), requests: [], unasked: [] });
    const { hand } = await open('/bus/7/service?span=28800-30600');
    const range = { startTime: at('08:00'), endTime: at('08:30') };
    await hand.click(within(await bar()).getByRole('button', { name: 'From this camera' }));
    await waitFor(() =>
      expect(server.asked(preloadRange)[0]?.body).toEqual({ cameraId: 9, ...range }),
    );
    expect(await screen.findByText('All of this is loaded already')).toBeVisible();
    await hand.click(within(await bar()).getByRole('button', { name: 'From all cameras' }));
    await waitFor(() =>
      expect(server.asked(preloadRange)[1]?.body).toEqual({ deviceId: 70, ...range }),
    );
  });

  describe('over the moment at which another unit came', () => {
    const part = { start_time: at('08:00'), end_time: at('08:10'), device_id: null };
    const askFor = async (unasked: UnaskedPart[], opening?: Parameters<typeof openScreen>[2]) => {
      server.answer(preloadRange, { ...page([]), requests: [], unasked });
      const { hand } = await open('/bus/7/service?span=28800-30600', opening);
      const name = /^(From this camera|С этой камеры)$/;
      await hand.click(await screen.findByRole('button', { name }));
    };

    it.each([
      ['en_US', null, /then sends nothing$/],
      ['en_US', 'RW-15', /the unit that sat in the bus then \(RW-15\) sends nothing$/],
      ['ru_RU', null, /прибор, который тогда стоял в автобусе, молчит$/],
      ['ru_RU', 'RW-15', /прибор, который тогда стоял в автобусе \(RW-15\), молчит$/],
    ] as const)('names the part of a silent one (%s, %s)', async (language, device_id, said) => {
      await askFor([{ ...part, device_id, reason: 'silent' }], { language });
      const note = await screen.findByText(said);
      expect(note).toHaveTextContent(/^08:00:00 – 08:10:00 (was not requested|не запрошено): /);
      expect(note.closest('[role=status]')).toBeVisible();
    });

    it('names the part of a camera that is offline', async () => {
      await askFor([{ ...part, reason: 'offline' }]);
      const said = '08:00:00 – 08:10:00 was not requested: the camera is offline';
      expect(await screen.findByText(said)).toBeVisible();
    });

    it('does not call the silent part loaded', async () => {
      await askFor([{ ...part, reason: 'silent' }]);
      expect(await screen.findByText('The rest is loaded already')).toBeVisible();
      expect(screen.queryByText('All of this is loaded already')).not.toBeInTheDocument();
    });
  });

  it('is typed, and stands in the address', async () => {
    const { hand, address } = await open();
    await hand.type(within(await bar()).getByLabelText('From'), '08:00:00');
    await hand.type(within(await bar()).getByLabelText('To'), '08:10:00');
    await hand.tab();
    await waitFor(() => expect(address()).toContain('span=28800-29400'));
    await hand.click(within(await bar()).getByRole('button', { name: 'Clear the selection' }));
    await waitFor(() => expect(address()).not.toContain('span'));
  });

  it('shows how far it is, and can be cancelled', async () => {
    const request: RangeRequest = {
      id: 31,
      camera_ids: [9],
      start_time: at('08:00'),
      end_time: at('08:30'),
      asked_at: at('14:59'),
      state: 'accepted',
      reason: null,
      detail: null,
      total: 4,
      here: 1,
      percent: 25,
      waits_for: null,
      failed_try: null,
    };
    server.answer(
      findBusStatus,
      busStatus({ cameras: [saidOf(9, 'online')], requests: [request] }),
    );
    server.answer(cancelPreload, { ...request, state: 'cancelled' });
    const { hand } = await open();
    const requests = await screen.findByRole('list', { name: 'Requests to the registrar' });
    expect(requests).toHaveTextContent('08:00:00 – 08:30:00the registrar is sending1 of 425 %');
    expect(within(requests).getByRole('progressbar')).toHaveValue(25);
    await hand.click(within(requests).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(server.asked(cancelPreload)[0]?.params.requestId).toBe('31'));
  });

  it('that failed says why, with what the unit said', async () => {
    const failed: RangeRequest = {
      id: 31,
      camera_ids: [9],
      start_time: at('08:00'),
      end_time: at('08:30'),
      asked_at: at('14:59'),
      state: 'failed',
      reason: 'unit_failed',
      detail: 'disk 2 is broken',
      total: 0,
      here: 0,
      percent: 0,
      waits_for: null,
      failed_try: null,
    };
    server.answer(findBusStatus, busStatus({ requests: [failed] }));
    await open();
    const requests = await screen.findByRole('list', { name: 'Requests to the registrar' });
    await waitFor(() =>
      expect(requests).toHaveTextContent(
        'The registrar could not carry out the request. “disk 2 is broken”',
      ),
    );
  });

  it('is none for a bus without a registrar', async () => {
    serve({ type: 'COUNTER' });
    await open();
    await list();
    expect(
      screen.queryByRole('region', { name: 'Request from the registrar' }),
    ).not.toBeInTheDocument();
  });
});

describe('what a camera of the cabin shows now', () => {
  const running = {
    camera_id: 9,
    state: 'running',
    started_at: at('14:59'),
    reason: null,
    detail: null,
  } as const;
  const openLive = async () => {
    const view = await open();
    await list();
    await view.hand.click(screen.getByRole('button', { name: 'Live' }));
    return view;
  };
  const panel = () => screen.findByRole('complementary', { name: 'Live: Салон 9' });

  it('waits for the first frame, and says since when it runs', async () => {
    server.answer(startLive, { ...running, state: 'starting', uri: '/api/video_feed2/live/9' });
    server.answer(findLive, running);
    const { address } = await openLive();
    await waitFor(() => expect(address()).toContain('part=live'));
    expect(await screen.findByText('Waiting for the first picture from the bus…')).toBeVisible();
    await waitFor(async () => expect(await panel()).toHaveTextContent('since 14:59:00'));
  });

  it('says why it did not start, and starts again when that is wanted', async () => {
    const failed = { ...running, state: 'failed', reason: 'no_answer' } as const;
    server.answer(startLive, { ...failed, uri: '/api/video_feed2/live/9' });
    server.answer(findLive, failed);
    const { hand } = await openLive();
    const again = await screen.findByRole('button', { name: 'Start again' });
    expect(await screen.findByText('The bus did not answer.')).toBeVisible();
    await hand.click(again);
    await waitFor(() => expect(server.asked(startLive)).toHaveLength(2));
  });

  it('says that the browser does not play its coding', async () => {
    server.answer(startLive, { ...running, uri: '/api/video_feed2/live/9' });
    server.answer(findLive, { ...running, codec: 'h265' });
    await openLive();
    const shown = await panel();
    await waitFor(() => {
      const video = shown.querySelector('video');
      if (video !== null) fireEvent.error(video);
      expect(screen.getByText(/^This browser does not play H.265 video/)).toBeVisible();
    });
  });

  it('is refused in the words of the server', async () => {
    server.refuse(startLive, 'conflict', 'The camera is not in use.');
    await openLive();
    expect(await screen.findByText('The camera is not in use.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it('is nothing where the camera has no live stream', async () => {
    serve({ cameras: [serviceCamera(9)] });
    await openLive();
    expect(await screen.findByText('This camera has no live stream.')).toBeVisible();
  });
});
