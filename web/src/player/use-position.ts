import { mediaAt, offsetAt, type TimeMap } from '@ridewatch/contract/time-map';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Playhead } from './playhead.ts';
import { useChange } from './use-change.ts';

interface PositionOptions {
  id: number;
  startMs: number;
  timeMap: TimeMap | null;
  playhead: Playhead;
  /** Called with the position, s of media time. */
  onProgress: (mediaS: number) => void;
}

/** The position of a video in wall time from its start; moves the page's playhead. */
export function usePosition(video: RefObject<HTMLVideoElement | null>, options: PositionOptions) {
  const { id, startMs, timeMap, playhead, onProgress } = options;
  const toOffset = (mediaS: number) => offsetAt(timeMap, mediaS * 1000) / 1000;
  // Position in the controls, s, rounded to tenths.
  const [position, setPosition] = useState(0);
  useChange(id, () => setPosition(0));
  const follow = () => {
    const element = video.current;
    if (!element) return;
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
