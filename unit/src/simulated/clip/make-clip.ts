import { cabinClip } from './cabin-clip.ts';
import { doorClip } from './door-clip.ts';
import { encodeClips } from './encode.ts';
import type { CabinScene, DoorScene } from './scene.ts';

export interface ClipOptions {
  ffmpegPath: string;
  /** Path of the MP4; its folder must exist. */
  outPath: string;
}

export interface ManyClipsOptions {
  ffmpegPath: string;
  /** Concurrent ffmpeg processes. */
  concurrency: number;
  /** Called when a file is ready, with its index among the scenes. */
  onClip: (index: number) => Promise<void> | void;
}

/** Most clips of one ffmpeg process: more would delay the first ones. */
const CLIPS_A_PROCESS = 40;

/**
 * Makes the MP4 of a door camera (H.264, 320 × 240, 10 frames a second).
 * @throws Error when ffmpeg cannot be run or fails, with its output
 */
export async function makeDoorClip(scene: DoorScene, options: ClipOptions): Promise<void> {
  await encodeClips([{ clip: doorClip(scene), outPath: options.outPath }], options.ffmpegPath);
}

/**
 * Makes the MP4 of a service camera, like {@link makeDoorClip}.
 * @throws Error when ffmpeg cannot be run or fails, with its output
 */
export async function makeCabinClip(scene: CabinScene, options: ClipOptions): Promise<void> {
  await encodeClips([{ clip: cabinClip(scene), outPath: options.outPath }], options.ffmpegPath);
}

/**
 * Makes the clips of many door scenes at the lowest cost: one ffmpeg encodes dozens of them.
 * @throws Error the first failure of ffmpeg or `onClip`; finished clips stay
 */
export async function makeDoorClips(
  scenes: readonly { scene: DoorScene; outPath: string }[],
  options: ManyClipsOptions,
): Promise<void> {
  const evenShare = Math.ceil(scenes.length / options.concurrency);
  const size = Math.max(1, Math.min(CLIPS_A_PROCESS, evenShare));
  let next = 0;
  let failed = false;
  const work = async () => {
    while (next < scenes.length && !failed) {
      const first = next;
      next += size;
      const jobs = scenes
        .slice(first, next)
        .map(({ scene, outPath }) => ({ clip: doorClip(scene), outPath }));
      try {
        await encodeClips(jobs, options.ffmpegPath, (index) => options.onClip(first + index));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // All settle first, so that no ffmpeg outlives the call.
  const ends = await Promise.allSettled(Array.from({ length: options.concurrency }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
