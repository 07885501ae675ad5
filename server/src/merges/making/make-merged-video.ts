// Merges stored videos. Parts in the common format are copied byte for byte; others are encoded into the job's folder.
// The merged video is written in one pass, which also computes its SHA-256.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Ffmpeg } from '../../media/ffmpeg.ts';
import type { Storage } from '../../storage/storage.ts';
import { type Aim, aimOf, type Coding, codingOf, formOf } from './agree.ts';
import { codePart } from './code-part.ts';
import {
  copyPart,
  indexOf,
  localFile,
  type MergePart,
  type PartFile,
  readPart,
  tracksOf,
} from './merge-part.ts';
import { MergePlan, UnusablePartError } from './merge-plan.ts';
import { mergedBytes, type WrittenPart } from './merged-bytes.ts';

/** Cost of a second of encoding, as bytes copied in the same time. */
const CODING_BYTES = { video: 50_000_000, sound: 1_000_000 };

export interface MergedVideo {
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly durationMs: number;
}

export interface MergeWork {
  readonly storage: Storage;
  readonly ffmpeg: Ffmpeg;
  /** Storage key of the merged video. */
  readonly key: string;
  /** A folder of the job alone; it exists. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with the progress, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Merges stored files.
 * @param files at least one, in order
 * @throws Error when one cannot be read or encoded, or when it is stopped
 */
export async function makeMergedVideo(
  work: MergeWork,
  files: readonly PartFile[],
): Promise<MergedVideo> {
  const { signal } = work;
  const found: MergePart[] = [];
  for (const file of files) {
    found.push(await readPart(file));
    signal.throwIfAborted();
  }
  const aim = aimOf(found);
  const progress = createProgress(work, found, aim);
  const parts: MergePart[] = [];
  for (const [number, part] of found.entries()) {
    const coding = codingOf(part, aim);
    parts.push(coding ? await coded(work, part, { aim, coding, number, progress }) : part);
  }
  const { plan, written } = await planMerge(work, parts, aim, progress);
  return writeMergedVideo(work, plan, written, progress);
}

interface Progress {
  coded(coding: Coding, seconds: number): void;
  copied(bytes: number): void;
}

function createProgress(
  { onProgress }: MergeWork,
  parts: readonly MergePart[],
  aim: Aim,
): Progress {
  const costOf = (coding: Coding, seconds: number): number =>
    seconds * (coding.video ? CODING_BYTES.video : CODING_BYTES.sound);
  const all = parts.reduce((sum, part) => {
    const coding = codingOf(part, aim);
    return sum + part.file.sizeBytes + (coding ? costOf(coding, part.durationS) : 0);
  }, 0);
  let done = 0;
  const add = (cost: number): void => {
    done += cost;
    onProgress(Math.min(1, done / all));
  };
  return { coded: (coding, seconds) => add(costOf(coding, seconds)), copied: add };
}

interface CodedPart {
  readonly aim: Aim;
  readonly coding: Coding;
  readonly number: number;
  readonly progress: Progress;
}

async function coded(
  { ffmpeg, folder, signal }: MergeWork,
  part: MergePart,
  { aim, coding, number, progress }: CodedPart,
): Promise<MergePart> {
  const from = path.join(folder, `part-${number}`);
  const to = `${from}.mp4`;
  await copyPart(part.file, from);
  let beforeS = 0;
  await codePart(ffmpeg, aim, coding, {
    ...{ from, to, signal, durationS: part.durationS },
    onProgress: (doneS) => {
      progress.coded(coding, doneS - beforeS);
      beforeS = doneS;
    },
  });
  return readPart(await localFile(to));
}

async function planMerge(
  work: MergeWork,
  parts: readonly MergePart[],
  aim: Aim,
  progress: Progress,
): Promise<{ plan: MergePlan; written: WrittenPart[] }> {
  const { form, needsSets } = formOf(parts);
  const plan = new MergePlan(form);
  const written: WrittenPart[] = [];
  for (const [number, part] of parts.entries()) {
    work.signal.throwIfAborted();
    const { video, audio } = tracksOf(await indexOf(part.file));
    const sets = needsSets ? part.format?.sets : undefined;
    try {
      const sources = plan.add({ video, audio, sets, sizeBytes: part.file.sizeBytes });
      written.push({ file: part.file, sources });
    } catch (error) {
      if (!(error instanceof UnusablePartError)) throw error;
      // Encoding mends it. Then all parts are planned again, because its parameter sets are new.
      const coding = { video: true, sound: part.hasSound };
      const other = await coded(work, part, { aim, coding, number, progress });
      return planMerge(work, parts.with(number, other), aim, progress);
    }
  }
  return { plan, written };
}

async function writeMergedVideo(
  { storage, key, signal }: MergeWork,
  plan: MergePlan,
  written: readonly WrittenPart[],
  progress: Progress,
): Promise<MergedVideo> {
  const hash = createHash('sha256');
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const bytes of mergedBytes(plan.head(), written)) {
      signal.throwIfAborted();
      hash.update(bytes);
      progress.copied(bytes.length);
      yield bytes;
    }
  }
  const body = Readable.from(watched(), { objectMode: false });
  const { sizeBytes } = await storage.put(key, body);
  return { sizeBytes, sha256: hash.digest(), durationMs: plan.durationMs };
}
