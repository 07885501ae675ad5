import { type RefObject, useEffect, useRef } from 'react';
import { ASSUMED_FRAME_S, frameLength } from './frame-step.ts';

/**
 * The duration of a frame, s, measured at the first two presented frames.
 * @param id identifies the video in the element
 */
export function useFrameLength(
  video: RefObject<HTMLVideoElement | null>,
  id: number,
): RefObject<number> {
  const frameS = useRef(ASSUMED_FRAME_S);
  useEffect(() => {
    const element = video.current;
    if (!element?.requestVideoFrameCallback || !id) return;
    let earlier: VideoFrameCallbackMetadata | undefined;
    let request = element.requestVideoFrameCallback(function learn(_now, frame) {
      if (earlier) frameS.current = frameLength(earlier, frame, frameS.current);
      earlier = frame;
      request = element.requestVideoFrameCallback(learn);
    });
    return () => element.cancelVideoFrameCallback(request);
  }, [video, id]);
  return frameS;
}
