import { fireEvent, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshServer, showPart } from '../test/open.tsx';
import { VideoElement } from './video-element.tsx';

const hls = vi.hoisted(() => ({ attach: vi.fn(), detach: vi.fn(), native: false }));
vi.mock('./hls.ts', () => ({ attachStream: hls.attach }));
vi.mock('./streams.ts', () => ({
  isStream: (address: string) => address.includes('video_feed2'),
  playsStreams: () => hls.native,
}));

const events = {
  onLoaded: vi.fn(),
  onPlay: vi.fn(),
  onPause: vi.fn(),
  onSeeked: vi.fn(),
  onEnded: vi.fn(),
  onError: vi.fn(),
  onClick: vi.fn(),
};
const element = createRef<HTMLVideoElement>();
beforeEach(() => {
  freshServer();
  hls.native = false;
  hls.attach.mockReset().mockReturnValue(hls.detach);
  hls.detach.mockReset();
  for (const spy of Object.values(events)) spy.mockClear();
});
const part = (address: string, isChosen = true) => (
  <VideoElement
    address={address}
    isChosen={isChosen}
    video={element}
    isMuted={false}
    events={events}
  />
);
const STREAM = '/api/video_feed2/7';

describe('a video element', () => {
  it('reads a file by its address', async () => {
    await showPart(part('/file.mp4'));
    expect(element.current).toHaveAttribute('src', '/file.mp4');
    expect(hls.attach).not.toHaveBeenCalled();
  });

  it('gives a stream to the library where the browser cannot play one, and takes it back', async () => {
    const { unmount } = await showPart(part(STREAM));
    await waitFor(() => expect(hls.attach).toHaveBeenCalledOnce());
    expect(hls.attach.mock.calls[0]?.slice(0, 2)).toEqual([element.current, STREAM]);
    expect(element.current).not.toHaveAttribute('src');
    unmount();
    expect(hls.detach).toHaveBeenCalledOnce();
  });

  it('leaves a stream to a browser that plays one', async () => {
    hls.native = true;
    await showPart(part(STREAM));
    expect(element.current).toHaveAttribute('src', STREAM);
    expect(hls.attach).not.toHaveBeenCalled();
  });

  it('tells that the library gave a stream up', async () => {
    await showPart(part(STREAM));
    await waitFor(() => expect(hls.attach).toHaveBeenCalledOnce());
    hls.attach.mock.calls[0]?.[2]();
    expect(events.onError).toHaveBeenCalledOnce();
  });

  it('that is only read ahead is silent, hidden, and tells nothing', async () => {
    const { container } = await showPart(part('/next.mp4', false));
    const video = container.querySelector('video');
    expect(video).toHaveAttribute('aria-hidden', 'true');
    expect(video?.muted).toBe(true);
    fireEvent.loadedMetadata(video as HTMLVideoElement);
    expect(events.onLoaded).not.toHaveBeenCalled();
  });

  it('that failed while it was read ahead says so when it is wanted', async () => {
    const { showAgain } = await showPart(part(STREAM, false));
    await waitFor(() => expect(hls.attach).toHaveBeenCalledOnce());
    hls.attach.mock.calls[0]?.[2]();
    expect(events.onError).not.toHaveBeenCalled();
    showAgain(part(STREAM, true));
    expect(events.onError).toHaveBeenCalledOnce();
  });
});
