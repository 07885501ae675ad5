import { cabinFilm } from './cabin-film.ts';
import { doorFilm } from './door-film.ts';
import { encodeFilms } from './encode.ts';
import type { CabinScene, DoorScene } from './scene.ts';

export interface FilmOptions {
  ffmpegPath: string;
  /** Where the MP4 shall lie; its folder must be there. */
  outPath: string;
}

export interface ManyFilmsOptions {
  ffmpegPath: string;
  /** How many ffmpeg processes work at a time. */
  concurrency: number;
  /** Called as each file is ready at its place, with its index among the scenes. */
  onClip: (index: number) => Promise<void> | void;
}

/** A process that codes many clips starts once for all of them; more would delay the first ones. */
const CLIPS_A_PROCESS = 40;

/**
 * Films what a door camera sees, as MP4 (H.264, 320 × 240, 10 frames a second).
 * @throws Error when ffmpeg cannot be run or fails, with what it said
 */
export async function filmDoor(scene: DoorScene, options: FilmOptions): Promise<void> {
  await encodeFilms([{ film: doorFilm(scene), outPath: options.outPath }], options.ffmpegPath);
}

/**
 * Films what a service camera of the cabin sees, as MP4 like {@link filmDoor}.
 * @throws Error when ffmpeg cannot be run or fails, with what it said
 */
export async function filmCabin(scene: CabinScene, options: FilmOptions): Promise<void> {
  await encodeFilms([{ film: cabinFilm(scene), outPath: options.outPath }], options.ffmpegPath);
}

/**
 * Films many door scenes at the least cost for each: one ffmpeg codes dozens of clips.
 * @throws Error the first failure, of ffmpeg or of `onClip`; clips that were ready stay
 */
export async function filmDoors(
  scenes: readonly { scene: DoorScene; outPath: string }[],
  options: ManyFilmsOptions,
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
        .map(({ scene, outPath }) => ({ film: doorFilm(scene), outPath }));
      try {
        await encodeFilms(jobs, options.ffmpegPath, (index) => options.onClip(first + index));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // All settle before this does, so that no ffmpeg outlives the call.
  const ends = await Promise.allSettled(Array.from({ length: options.concurrency }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
