import { type RefObject, useEffect, useRef } from 'react';
import { ASSUMED_FRAME_S, frameLength } from './frame-step.ts';

/**
 * How long a frame of the video lasts, s: learnt from the first two that are shown.
 * @param id which video is in the element
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
