import { mediaAt, offsetAt, type TimeMap } from '@ridewatch/contract/time-map';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Playhead } from './playhead.ts';
import { useChange } from './use-change.ts';

interface PositionOptions {
  id: number;
  /** Start position, s of wall time. */
  fromSeconds: number;
  startMs: number;
  timeMap: TimeMap | null;
  playhead: Playhead;
  /** Called with the position, s of media time. */
  onProgress: (mediaS: number) => void;
}

/** The position of a video in wall time from its start; moves the page's playhead. */
export function usePosition(video: RefObject<HTMLVideoElement | null>, options: PositionOptions) {
  const { id, fromSeconds, startMs, timeMap, playhead, onProgress } = options;
  const toOffset = (mediaS: number) => offsetAt(timeMap, mediaS * 1000) / 1000;
  // Position in the controls, s; the video begins there, and again there after a failure.
  const [position, setPosition] = useState(fromSeconds);
  useChange(id, () => setPosition(fromSeconds));
  const follow = () => {
    const element = video.current;
    if (!element) return;
    // In tenths, so that the controls do not render with every frame.
    setPosition(Math.round(toOffset(element.currentTime) * 10) / 10);
    playhead.set(startMs + toOffset(element.currentTime) * 1000);
    onProgress(element.currentTime);
  };
  const onFrame = useEffectEvent(() => {
    if (video.current && !video.current.paused) follow();
  });
  useEffect(() => {
    let request = requestAnimationFrame(function tick() {
      onFrame();
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  }, []);
  return {
    position,
    follow,
    toOffset,
    toMedia: (offsetS: number) => mediaAt(timeMap, offsetS * 1000) / 1000,
  };
}
