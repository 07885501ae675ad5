import type { RefObject } from 'react';
import { VideoElement, type VideoEvents } from './video-element.tsx';

interface StackedVideo {
  /** While the key stays, the video keeps its element and loaded data. */
  key: string;
  address: string;
}

interface VideoStackProps extends VideoEvents {
  /** Holds the element of the chosen video. */
  video: RefObject<HTMLVideoElement | null>;
  chosen: StackedVideo;
  /** The preloaded video; when it is chosen, it need not be loaded again. */
  ahead: StackedVideo | undefined;
  isMuted: boolean;
}

/** The chosen video, and hidden behind it the one that probably follows. */
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
