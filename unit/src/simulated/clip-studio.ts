// Makes clips of fragments for all units of the process, a few at a time.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeCabinClip, makeDoorClip, makeDoorClips } from './clip/make-clip.ts';
import type { Fragment } from './day.ts';

export interface Studio {
  /**
   * Makes the clip of a fragment in its turn, passes the file to `deliver`, and deletes it.
   * @throws the signal's reason when that is aborted before its turn
   */
  make(
    fragment: Fragment,
    deliver: (file: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Makes many clips at a lower cost for each; `deliver` gets the index of the fragment. */
  makeAll(
    fragments: readonly Fragment[],
    deliver: (file: string, index: number) => Promise<void>,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Whether ffmpeg can be run. */
export async function canMakeClips(ffmpegPath: string): Promise<boolean> {
  return promisify(execFile)(ffmpegPath, ['-version']).then(
    () => true,
    () => false,
  );
}

/** Creates a studio with a temporary folder. @param concurrency clips at a time */
export async function openStudio(ffmpegPath: string, concurrency: number): Promise<Studio> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  let taken = 0;
  let busy = 0;
  const queue: (() => void)[] = [];
  const newFile = (): string => {
    taken += 1;
    return path.join(folder, `${taken}.mp4`);
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= concurrency) await new Promise<void>((resolve) => queue.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
  const make: Studio['make'] = async (fragment, deliver, signal) => {
    const outPath = newFile();
    try {
      await inTurn(async () => {
        signal?.throwIfAborted();
        const { scene } = fragment;
        if (scene.kind === 'door') await makeDoorClip(scene.door, { ffmpegPath, outPath });
        else await makeCabinClip(scene.cabin, { ffmpegPath, outPath });
      });
      await deliver(outPath);
    } finally {
      await rm(outPath, { force: true });
    }
  };
  return {
    make,
    makeAll: async (fragments, deliver) => {
      const doors = fragments.flatMap(({ scene }, index) =>
        scene.kind === 'door' ? [{ index, scene: scene.door, outPath: newFile() }] : [],
      );
      await makeDoorClips(doors, {
        ffmpegPath,
        concurrency,
        onClip: async (clip) => {
          const door = doors[clip];
          if (door === undefined) return;
          await deliver(door.outPath, door.index);
          await rm(door.outPath, { force: true });
        },
      });
      for (const [index, fragment] of fragments.entries()) {
        if (fragment.scene.kind === 'cabin') await make(fragment, (file) => deliver(file, index));
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
