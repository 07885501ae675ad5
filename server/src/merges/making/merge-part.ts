import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FrameSize } from '@ridewatch/contract/merges';
import {
  isShownAsStored,
  type SoundFormat,
  shownSizeOf,
  soundFormatOf,
  type VideoFormat,
  videoFormatOf,
} from '../../media/mp4/formats.ts';
import { type Mp4Index, readIndex, type Track } from '../../media/mp4/mp4-index.ts';
import type { ByteRange, Storage } from '../../storage/storage.ts';
import { delayOf } from './merge-plan.ts';

/** The bytes of a part. */
export interface PartFile {
  readonly sizeBytes: number;
  read(range: ByteRange): Promise<Readable>;
}

export interface MergePart {
  readonly file: PartFile;
  readonly durationS: number;
  readonly timescale: number;
  readonly delayS: number;
  /** The size at which it is shown; undefined where it changes. */
  readonly shown: FrameSize | undefined;
  /** Undefined when the video must be encoded. */
  readonly format: VideoFormat | undefined;
  readonly hasSound: boolean;
  /** Undefined without audio, and for audio that must be encoded. */
  readonly sound: SoundFormat | undefined;
}

/** A file in the store. */
export function storedFile(storage: Storage, key: string, sizeBytes: number): PartFile {
  return { sizeBytes, read: (range) => storage.get(key, range) };
}

/** A local file. */
export async function localFile(file: string): Promise<PartFile> {
  const { size } = await stat(file);
  return {
    sizeBytes: size,
    read: async ({ from, to }) => createReadStream(file, { start: from, end: to }),
  };
}

/** Copies a part to a local file. */
export async function copyPart({ read, sizeBytes }: PartFile, to: string): Promise<void> {
  await pipeline(await read({ from: 0, to: sizeBytes - 1 }), createWriteStream(to));
}

/** @throws Error when it is not an MP4 with its index in front */
export async function indexOf(file: PartFile): Promise<Mp4Index> {
  const get = (_key: string, range?: ByteRange): Promise<Readable> =>
    file.read(range ?? { from: 0, to: file.sizeBytes - 1 });
  return readIndex({ get }, 'a part', file.sizeBytes);
}

/** @throws Error when it is not an MP4 with video */
export function tracksOf({ tracks }: Mp4Index): { video: Track; audio: Track | undefined } {
  const video = tracks.find(({ kind, samples }) => kind === 'video' && samples.length > 0);
  if (video === undefined) throw new Error('A part has no video track.');
  return {
    video,
    audio: tracks.find(({ kind, samples }) => kind === 'audio' && samples.length > 0),
  };
}

/** Reads the format of a part. @throws Error when it is not an MP4 with video */
export async function readPart(file: PartFile): Promise<MergePart> {
  const { video, audio } = tracksOf(await indexOf(file));
  const ticks = video.samples.reduce((sum, sample) => sum + sample.ticks, 0);
  return {
    file,
    durationS: ticks / video.timescale,
    timescale: video.timescale,
    delayS: delayOf(video),
    shown: shownSizeOf(video),
    format: isShownAsStored(video) ? videoFormatOf(video) : undefined,
    hasSound: audio !== undefined,
    sound: audio && soundFormatOf(audio),
  };
}
