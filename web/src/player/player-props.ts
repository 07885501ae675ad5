import type { TimeMap } from '@ridewatch/contract/time-map';
import type { ReactNode, Ref } from 'react';
import type { PlayerAction } from './player-keys.ts';
import type { Playhead } from './playhead.ts';
import type { SeekMark } from './seek-marks.tsx';
import type { ThumbnailSheet } from './thumbnail.tsx';

export interface PlayerHandle {
  perform(action: PlayerAction): void;
  /** Seeks; in seconds of wall time from the start of the video. */
  seek(offsetS: number): void;
  play(): void;
}

export interface PlayerProps {
  ref: Ref<PlayerHandle>;
  /** Identifies the video; its address may change while it plays. */
  id: number;
  address: string;
  /** The video that probably follows; it is preloaded, so that its first frame is there at once. */
  next: { id: number; address: string } | undefined;
  startMs: number;
  /** Maps media time to wall time; null if they are equal. */
  timeMap: TimeMap | null;
  /** Its thumbnails, shown under the pointer. */
  thumbnails: ThumbnailSheet | null;
  /** IANA zone of the displayed clock. */
  zone: string;
  marks: readonly SeekMark[];
  /** Start position, s of wall time. */
  fromSeconds: number;
  playAtOnce: boolean;
  isMuted: boolean;
  speed: number;
  onSpeed: (speed: number) => void;
  playhead: Playhead;
  names: Record<
    'play' | 'pause' | 'speed' | 'seek' | 'fullscreen' | 'failed' | 'retry' | 'soundOn',
    string
  >;
  onEnded: () => void;
  /** Called when the address fails; resolves when the newest one is known. */
  onStale: () => Promise<unknown>;
  /** Called when the user pauses or seeks, with the position, s of wall time. */
  onRest: (offsetS: number) => void;
  /** Further controls at the right end. */
  children?: ReactNode;
}
