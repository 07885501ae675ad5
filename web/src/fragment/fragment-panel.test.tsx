import { type Fragment, fetchFragment, listDayFragments } from '@ridewatch/contract/fragments';
import { screen, waitFor } from '@testing-library/react';
import { type ComponentProps, createRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlayerHandle } from '../player/player-props.ts';
import { createPlayhead } from '../player/playhead.ts';
import { at, camera, faraway, fragment } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import type { FakeServer } from '../test/server.ts';
import { Toaster } from '../ui/toaster.tsx';
import { FragmentPanel } from './fragment-panel.tsx';

type Props = ComponentProps<typeof FragmentPanel>;
let server: FakeServer;
const acts = {
  onSpeed: vi.fn(),
  onAutoplay: vi.fn(),
  onStep: vi.fn(),
  onEnded: vi.fn(),
  onRest: vi.fn(),
  onClose: vi.fn(),
};
beforeEach(() => {
  server = freshServer();
  for (const one of Object.values(acts)) one.mockClear();
});
const show = (
  of: Fragment | undefined,
  more: Partial<Props> = {},
  device: 'phone' | 'desktop' = 'desktop',
) =>
  showPart(
    <>
      <FragmentPanel
        fragment={of}
        next={undefined}
        camera={camera(1)}
        zone="Europe/Moscow"
        player={createRef<PlayerHandle>()}
        playhead={createPlayhead()}
        fromSeconds={0}
        playAtOnce={false}
        speed={1}
        autoplay={false}
        {...acts}
        {...more}
      />
      <Toaster />
    </>,
    { device },
  );
const button = (name: string) => screen.getByRole('button', { name });

describe('the panel of a fragment', () => {
  it('says how to choose one while none is chosen', async () => {
    await show(undefined);
    expect(screen.getByText('Choose a fragment to see its video')).toBeVisible();
  });

  it('says why an attempt failed and when the next one is, and not that it is running', async () => {
    const failed = { fail_reason: 'not_a_video', next_try_at: at('15:05') } as const;
    await show(faraway(1, '08:00', { status: 'LOADING', ...failed }));
    // Nor before the text of the reason has loaded.
    expect(screen.queryByText(/is being uploaded/)).not.toBeInTheDocument();
    expect(await screen.findByText(/^The registrar sent no video/)).toBeVisible();
    // In the line above the video, and below the state in its place.
    expect(screen.getAllByText('again at 15:05')).toHaveLength(2);
    expect(screen.queryByText(/is being uploaded/)).not.toBeInTheDocument();
  });

  it('says why its upload stopped, and not that it is running', async () => {
    const stopped = { progress: 99, stopped: true, fail_reason: 'upload_stopped' } as const;
    await show(faraway(1, '08:00', { status: 'LOADING', ...stopped }));
    expect(await screen.findByText(/^The upload has stopped/)).toBeVisible();
    expect(screen.queryByText(/is being uploaded/)).not.toBeInTheDocument();
  });

  it('says when it began, of which camera, and who was counted', async () => {
    await show(fragment(1, '08:00'));
    const panel = screen.getByRole('complementary', { name: 'Дверь 1' });
    expect(panel).toHaveTextContent('08:00:00');
    expect(screen.getByText('+4')).toBeVisible();
    expect(screen.getByText('−2')).toBeVisible();
  });

  it('says of a finished one in words that its camera is offline', async () => {
    await show(fragment(1, '08:00'), { camera: camera(1, { status: 'offline' }) });
    expect(screen.getByText('ready')).toHaveAttribute('data-kind', 'error');
    expect(screen.getByText('camera offline')).toBeVisible();
  });

  it('says what somebody counted in place of the counter', async () => {
    await show(fragment(1, '08:00', { entered_manual: { adult: 7, kids: null } }));
    expect(screen.getByText('+8')).toBeVisible();
  });

  it('goes to the fragments beside it', async () => {
    const { hand } = await show(fragment(1, '08:00'));
    await hand.click(button('Next fragment'));
    await hand.click(button('Previous fragment'));
    expect(acts.onStep.mock.calls).toEqual([[1], [-1]]);
  });

  it('has autoplay as a switch', async () => {
    const { hand } = await show(fragment(1, '08:00'));
    await hand.click(screen.getByRole('checkbox', { name: 'Autoplay' }));
    expect(acts.onAutoplay).toHaveBeenCalledWith(true);
  });

  it('offers the files that are there', async () => {
    await show(fragment(1, '08:00', { download: '/source', download_playable: null }));
    expect(screen.getByRole('link', { name: 'source' })).toHaveAttribute('href', '/source');
    expect(screen.queryByRole('link', { name: 'processed' })).not.toBeInTheDocument();
  });

  it('lists the moments at which people passed', async () => {
    const events = [{ offset_ms: 4_000, entered: 2, exited: 0 }];
    await show(fragment(1, '08:00', { events }));
    expect(screen.getByText('08:00:04')).toBeVisible();
  });

  it('says at which stop it was recorded', async () => {
    await show(fragment(1, '08:00', { stop: 'Рынок' }));
    expect(screen.getByText('Рынок · Дверь 1')).toBeVisible();
  });

  it('has the video above the map, where both exist', async () => {
    await show(fragment(1, '08:00'), { map: <p>the street</p> });
    const video = screen.getByRole('slider', { name: 'Position in the video' });
    const map = screen.getByText('the street');
    expect(video.compareDocumentPosition(map)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.queryByRole('button', { name: 'Map' })).not.toBeInTheDocument();
  });

  it('changes between video and map on a phone, and remembers that for this fragment alone', async () => {
    const map = <p>the street</p>;
    const { hand } = await show(fragment(1, '08:00'), { map }, 'phone');
    await hand.click(button('Map'));
    expect(screen.getByText('the street')).toBeVisible();
    await hand.click(button('Video'));
    expect(screen.queryByText('the street')).not.toBeInTheDocument();
  });

  it('is put away on a phone', async () => {
    const { hand } = await show(fragment(1, '08:00'), {}, 'phone');
    await hand.click(button('Close'));
    expect(acts.onClose).toHaveBeenCalledOnce();
  });
});

describe('a fragment without video here', () => {
  it('is on the registrar and can be fetched', async () => {
    server.answer(fetchFragment, faraway(1, '08:00', { status: 'DOWNLOADING_FROM_TASK' }));
    const { hand } = await show(faraway(1, '08:00'));
    expect(
      await screen.findByText('The video is on the registrar in the bus. It can be fetched.'),
    ).toBeVisible();
    await hand.click(button('Fetch the video'));
    await waitFor(() => expect(server.asked(fetchFragment)).toHaveLength(1));
  });

  it('cannot be fetched while its camera is offline', async () => {
    const offline = camera(1, { enabled: false, status: 'offline' });
    await show(faraway(1, '08:00'), { camera: offline });
    expect(await screen.findByRole('button', { name: 'Fetch the video' })).toBeDisabled();
    expect(screen.getByText('The camera is offline')).toBeVisible();
  });

  it('says that the camera is offline when only the server knows it', async () => {
    server.refuse(fetchFragment, 'conflict');
    const { hand } = await show(faraway(1, '08:00'), { camera: undefined, name: 'Bus 7' });
    await hand.click(await screen.findByRole('button', { name: 'Fetch the video' }));
    expect(await screen.findByText('The camera is offline')).toBeVisible();
  });

  it('says in a toast why it could not be asked for', async () => {
    server.refuse(fetchFragment, 'internal');
    const { hand } = await show(faraway(1, '08:00'));
    await hand.click(await screen.findByRole('button', { name: 'Fetch the video' }));
    expect(await screen.findByText('500: It was refused.')).toBeVisible();
  });

  it('that failed says why, and can be fetched again', async () => {
    const failed = faraway(1, '08:00', {
      status: 'DOWNLOAD_FAIL',
      fail_reason: 'unit_gave_up',
      fail_detail: 'the disk has overwritten it',
    });
    await show(failed);
    expect(
      await screen.findByText(
        'The registrar cannot send this video. “the disk has overwritten it”',
      ),
    ).toBeVisible();
    expect(button('Fetch again')).toBeEnabled();
  });

  it('that breaks off says how much there is, and can be fetched again', async () => {
    const { video, ...rest } = fragment(1, '08:00');
    const truncated = { shown_ms: 14_200, of_ms: 30_000 };
    const { hand } = await show({ ...rest, video: video && { ...video, truncated } });
    expect(await screen.findByText('The video breaks off: 14 of 30 s')).toBeVisible();
    server.answer(fetchFragment, fragment(1, '08:00', { status: 'DOWNLOADING_FROM_TASK' }));
    await hand.click(button('Fetch again'));
    await waitFor(() => expect(server.asked(fetchFragment)[0]?.params.segmentId).toBe('1'));
  });

  it('that breaks off before the moment to show says so', async () => {
    const { video, ...rest } = fragment(1, '08:00');
    const truncated = { shown_ms: 14_200, of_ms: 30_000 };
    const cut = { ...rest, video: video && { ...video, truncated } };
    const said = 'The chosen moment is not in it: this is the last frame.';
    const { unmount } = await show(cut, { fromSeconds: 14.2 });
    expect(await screen.findByText('The video breaks off: 14 of 30 s')).toBeVisible();
    expect(screen.queryByText(said)).not.toBeInTheDocument();
    unmount();
    await show(cut, { fromSeconds: 20 });
    expect(await screen.findByText(said)).toBeVisible();
  });

  it('that breaks off and is on its way again says how much has come', async () => {
    const { video, ...rest } = fragment(1, '08:00', { status: 'LOADING', progress: 45 });
    const truncated = { shown_ms: 14_200, of_ms: 30_000 };
    await show({ ...rest, video: video && { ...video, truncated } });
    expect(await screen.findByText('The video breaks off: 14 of 30 s')).toBeVisible();
    expect(screen.getAllByText('loading 45 %')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Fetch again' })).not.toBeInTheDocument();
  });

  it('was deleted: it says when and why', async () => {
    const deleted = faraway(1, '08:00', {
      status: 'PROCESSED',
      video_deleted_at: at('03:00'),
      video_deleted_for: 'age',
    });
    await show(deleted);
    expect(
      await screen.findByText(/The video was deleted on 10.03.2026: its retention period was over/),
    ).toBeVisible();
  });

  it.each([
    ['ADDING', 'The camera is still recording this fragment.'],
    ['ADDED', 'The video waits on the registrar to be sent.'],
    ['DOWNLOADING_FROM_TASK', 'The video was requested from the registrar.'],
    ['LOADING', 'The video is being uploaded by the registrar.'],
  ] as const)('that is %s says: %s', async (status, said) => {
    await show(faraway(1, '08:00', { status }));
    expect(await screen.findByText(said)).toBeVisible();
    expect(server.asked(listDayFragments)).toHaveLength(0);
  });
});
