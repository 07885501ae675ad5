import type { FrameSize } from '@ridewatch/contract/merges';
import type { ContainerName } from './containers.ts';

/**
 * The frames of a file in its order, from the first keyframe: earlier ones refer to frames that the file does not have,
 * and cannot be shown. Frames that an edit list hides are left out.
 */
export interface Packets {
  readonly count: number;
  /** Presentation time, ms; NaN where the file has none. */
  readonly ptsMs: readonly number[];
  /** Decoding time, ms; NaN where the file has none. */
  readonly dtsMs: readonly number[];
  /** Usual distance of two frames, ms. */
  readonly usualMs: number;
  /** Longest distance of keyframes, in frames. */
  readonly longestGroup: number;
}

export interface VideoFacts {
  readonly container: ContainerName;
  readonly codec: string;
  readonly pixelFormat: string;
  /** The size at which the pictures are shown, upright and on square pixels; the largest where it changes. */
  readonly width: number;
  readonly height: number;
  /** The pictures are stored as they are shown: in one size, and none is turned or mirrored. */
  readonly isUpright: boolean;
  /** The size in which all pictures are stored; undefined where it changes. */
  readonly stored: FrameSize | undefined;
  /** The file has frames that an edit list hides. They are not among the packets. */
  readonly hidesFrames: boolean;
  /** Decoding order may differ from presentation order. */
  readonly isReordered: boolean;
  /** Timebase as a fraction: `1/90000`. */
  readonly timeBase: string;
  /** Average frames a second. */
  readonly frameRate: number;
  /** Undefined without sound. */
  readonly audioCodec: string | undefined;
  /** From the first audio packet to the last, ms; undefined without sound or its times. */
  readonly soundMs: number | undefined;
  /** From the first video or audio packet to the first frame that can be shown, ms. */
  readonly leadMs: number;
  /** From the first video or audio packet to the end of the last frame, ms. */
  readonly durationMs: number;
  readonly packets: Packets;
}
