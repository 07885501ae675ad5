import { describe, expect, it } from 'vitest';
import { startPlaying } from './start-playing.ts';

function videoThat(refuses: (muted: boolean) => string | undefined, muted = false) {
  const calls: boolean[] = [];
  const video = {
    muted,
    play: async () => {
      calls.push(video.muted);
      const name = refuses(video.muted);
      if (name) throw new DOMException('no', name);
    },
  };
  return { video: video as unknown as HTMLVideoElement, calls };
}

describe('starting a video', () => {
  it('plays with its sound where the browser lets it', async () => {
    const { video } = videoThat(() => undefined);
    expect(await startPlaying(video)).toBe('playing');
    expect(video.muted).toBe(false);
  });

  it('plays without sound where the browser refuses sound, and says so', async () => {
    const { video, calls } = videoThat((muted) => (muted ? undefined : 'NotAllowedError'));
    expect(await startPlaying(video)).toBe('muted');
    expect(calls).toEqual([false, true]);
  });

  it('is refused when it may not play without sound either', async () => {
    const { video, calls } = videoThat(() => 'NotAllowedError');
    expect(await startPlaying(video)).toBe('refused');
    expect(calls).toEqual([false, true]);
  });

  it('keeps its sound when it was another video or a pause that stopped it', async () => {
    const { video, calls } = videoThat(() => 'AbortError');
    expect(await startPlaying(video)).toBe('refused');
    expect(calls).toEqual([false]);
    expect(video.muted).toBe(false);
  });
});
