import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ComponentProps, createRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { markConnected, markLost } from '../core/connection.ts';
import { at } from '../test/made.ts';
import { freshServer, showPart } from '../test/open.tsx';
import { Player } from './player.tsx';
import type { PlayerHandle } from './player-props.ts';
import { createPlayhead } from './playhead.ts';

const names = {
  play: 'Play',
  pause: 'Pause',
  speed: 'Speed',
  seek: 'Position',
  fullscreen: 'Full screen',
  failed: 'The video does not play.',
  retry: 'Try again',
  soundOn: 'Sound on',
};
type PlayerProps = ComponentProps<typeof Player>;
const startMs = Date.parse(at('08:00'));
const handle = createRef<PlayerHandle>();
let props: Omit<PlayerProps, 'ref'>;
beforeEach(() => {
  freshServer();
  props = {
    id: 1,
    address: '/one',
    next: undefined,
    startMs,
    timeMap: null,
    thumbnails: null,
    zone: 'Europe/Moscow',
    marks: [],
    fromSeconds: 0,
    playAtOnce: false,
    isMuted: false,
    speed: 1,
    onSpeed: vi.fn(),
    playhead: createPlayhead(),
    names,
    onEnded: vi.fn(),
    onStale: vi.fn(async () => undefined),
    onRest: vi.fn(),
  };
});

const video = (): HTMLVideoElement => {
  const found = document.querySelector('video:not([aria-hidden])');
  if (!(found instanceof HTMLVideoElement)) throw new Error('no video');
  return found;
};
/** The browser has loaded the metadata. */
const loaded = (seconds = 30) => {
  Object.defineProperty(video(), 'duration', { configurable: true, value: seconds });
  fireEvent.loadedMetadata(video());
};
/** Loading the video fails. */
const broken = async () => {
  await act(async () => {
    fireEvent.error(video());
  });
};
const show = async (more: Partial<PlayerProps> = {}) => {
  const part = (next: Partial<PlayerProps>) => <Player ref={handle} {...props} {...next} />;
  const view = await showPart(part(more));
  return { ...view, showNext: (next: Partial<PlayerProps>) => view.showAgain(part(next)) };
};
const button = (name: string) => screen.getByRole('button', { name });

describe('the player', () => {
  it('plays and pauses by its button, and by a press on the video', async () => {
    const { hand } = await show();
    loaded();
    await hand.click(button('Play'));
    expect(button('Pause')).toBeVisible();
    await hand.click(video());
    expect(button('Play')).toBeVisible();
  });

  it('begins where it is told, and says the time of the street', async () => {
    await show({ fromSeconds: 12 });
    loaded();
    expect(video().currentTime).toBe(12);
    expect(screen.getByText('08:00:12')).toBeVisible();
    expect(screen.getByText('0:12 / 0:30')).toBeVisible();
    expect(props.playhead.momentMs).toBe(startMs + 12_000);
  });

  it('stands at its last frame where it is told to begin behind its end, and leaves the moment to the page', async () => {
    await show({ fromSeconds: 40, playAtOnce: true });
    loaded();
    expect(video().currentTime).toBeCloseTo(29.95);
    expect(button('Play')).toBeVisible();
    expect(props.onRest).not.toHaveBeenCalled();
  });

  it('stands at its last frame where the page asks for a moment behind its end', async () => {
    await show({ playAtOnce: true });
    loaded();
    await waitFor(() => expect(button('Pause')).toBeVisible());
    act(() => {
      handle.current?.seek(40);
      handle.current?.play();
    });
    expect(video().currentTime).toBeCloseTo(29.95);
    await waitFor(() => expect(button('Play')).toBeVisible());
    expect(props.onRest).toHaveBeenLastCalledWith(40);
  });

  it('plays at once when it is told to', async () => {
    await show({ playAtOnce: true });
    loaded();
    await waitFor(() => expect(button('Pause')).toBeVisible());
  });

  it('goes to a moment that is chosen on its bar, and tells where it rests', async () => {
    await show();
    loaded();
    fireEvent.change(screen.getByRole('slider', { name: 'Position' }), { target: { value: '20' } });
    expect(video().currentTime).toBe(20);
    expect(props.onRest).toHaveBeenLastCalledWith(20);
  });

  it('obeys the keys of the page: 5 s, a frame, speed', async () => {
    await show();
    loaded();
    act(() => handle.current?.perform({ kind: 'seek', bySeconds: 5 }));
    expect(video().currentTime).toBe(5);
    act(() => handle.current?.perform({ kind: 'frame', by: 1 }));
    expect(video().currentTime).toBeCloseTo(5.06, 2);
    act(() => handle.current?.perform({ kind: 'speed', steps: 1 }));
    expect(props.onSpeed).toHaveBeenCalledWith(1.25);
    act(() => handle.current?.perform({ kind: 'seek', bySeconds: 99 }));
    expect(video().currentTime).toBe(30);
  });

  it('keeps its speed from video to video', async () => {
    const { hand, showNext } = await show({ speed: 2 });
    loaded();
    expect(video().playbackRate).toBe(2);
    await hand.selectOptions(screen.getByRole('combobox', { name: 'Speed' }), '4×');
    expect(props.onSpeed).toHaveBeenCalledWith(4);
    showNext({ speed: 4, id: 2, address: '/two' });
    loaded();
    expect(video().playbackRate).toBe(4);
  });

  it('begins anew with another video', async () => {
    const { showNext } = await show({ fromSeconds: 12 });
    loaded();
    showNext({ id: 2, address: '/two', startMs: startMs + 600_000 });
    expect(video()).toHaveAttribute('src', '/two');
    expect(screen.getByText('08:10:00')).toBeVisible();
  });

  it('reads ahead what is watched next, and does not read it again when it is chosen', async () => {
    const { showNext } = await show({ next: { id: 2, address: '/two' } });
    const ahead = document.querySelector('video[aria-hidden]');
    expect(ahead).toHaveAttribute('src', '/two');
    showNext({ id: 2, address: '/two' });
    expect(video()).toBe(ahead);
  });

  it('pauses a video that is left, and begins it at its start when it is watched again', async () => {
    const { hand, showNext } = await show({ next: { id: 2, address: '/two' } });
    loaded();
    const first = video();
    await hand.click(button('Play'));
    first.currentTime = 17;
    // The left video stays, because it is the one that follows now.
    showNext({ id: 2, address: '/two', next: { id: 1, address: '/one' } });
    expect(document.querySelector('video[aria-hidden]')).toBe(first);
    expect([first.paused, first.currentTime]).toEqual([true, 0]);
    expect(video().paused).toBe(true);
    await first.play();
    expect(first.paused).toBe(true);
    first.currentTime = 9;
    showNext({ id: 1, address: '/one' });
    loaded();
    expect([video().paused, video().currentTime]).toEqual([true, 0]);
  });

  it('begins where it was told although the first attempt failed', async () => {
    await show({ fromSeconds: 12 });
    await broken();
    await waitFor(() => expect(props.onStale).toHaveBeenCalledOnce());
    loaded();
    expect(video().currentTime).toBe(12);
  });

  it('pauses when the page is hidden', async () => {
    const { hand } = await show();
    loaded();
    await hand.click(button('Play'));
    const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(button('Play')).toBeVisible();
    visible.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(video().paused).toBe(true);
  });

  it('tells when the video is at its end', async () => {
    await show();
    loaded();
    fireEvent.ended(video());
    expect(props.onEnded).toHaveBeenCalledOnce();
  });

  it('says when the browser plays it without sound, and turns that on', async () => {
    const { hand } = await show();
    loaded();
    const refused = new DOMException('not by hand', 'NotAllowedError');
    vi.spyOn(video(), 'play').mockRejectedValueOnce(refused);
    await hand.click(button('Play'));
    await hand.click(await screen.findByRole('button', { name: 'Sound on' }));
    expect(video().muted).toBe(false);
    expect(screen.queryByRole('button', { name: 'Sound on' })).not.toBeInTheDocument();
  });
});

describe('a video that does not play', () => {
  it('is read again from the newest address, at the place where it stood', async () => {
    const { showNext } = await show({ fromSeconds: 12 });
    loaded();
    // A new address does not interrupt a playing video.
    showNext({ address: '/renewed', fromSeconds: 12 });
    expect(video()).toHaveAttribute('src', '/one');
    await broken();
    expect(props.onStale).toHaveBeenCalledOnce();
    await waitFor(() => expect(video()).toHaveAttribute('src', '/renewed'));
    loaded();
    expect(video().currentTime).toBe(12);
  });

  it('is given up after three failures, and tried again when somebody asks', async () => {
    const { hand } = await show();
    for (let times = 0; times < 3; times += 1) await broken();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The video does not play.');
    await hand.click(button('Try again'));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it('is tried again by itself when the connection is back', async () => {
    await show();
    for (let times = 0; times < 3; times += 1) await broken();
    await screen.findByRole('alert');
    act(() => markLost());
    act(() => markConnected());
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });
});
