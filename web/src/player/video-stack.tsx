import type { RefObject } from 'react';
import { VideoElement, type VideoEvents } from './video-element.tsx';

interface StackedVideo {
  /** A video keeps its element, and what that has read, while its key stays. */
  key: string;
  address: string;
}

interface VideoStackProps extends VideoEvents {
  /** Becomes the element of the chosen video. */
  video: RefObject<HTMLVideoElement | null>;
  chosen: StackedVideo;
  /** Read ahead, not shown; becomes the chosen one without being read again. */
  ahead: StackedVideo | undefined;
  isMuted: boolean;
}

/** The chosen video, and behind it the one that is likely chosen next. */
export function VideoStack({ video, chosen, ahead, isMuted, ...events }: VideoStackProps) {
  return [chosen, ...(ahead ? [ahead] : [])].map((clip) => (
    <VideoElement
      key={clip.key}
      address={clip.address}
      isChosen={clip === chosen}
      video={video}
      isMuted={isMuted}
      events={events}
    />
  ));
}
