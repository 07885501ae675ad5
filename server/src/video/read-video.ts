// What a received file is, read from its packets: nothing that its head or its sender says is believed.
import path from 'node:path';
import * as z from 'zod/mini';
import { type ContainerName, containerOf } from './containers.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { askLimited, READ_LIMITS, runLimited } from './run-limited.ts';
import { durationOf } from './timeline.ts';

const Probe = z.object({
  format: z.object({
    format_name: z.string(),
    tags: z.optional(z.object({ major_brand: z.optional(z.string()) })),
  }),
  streams: z.array(
    z.object({
      index: z.int(),
      codec_type: z.optional(z.string()),
      codec_name: z.optional(z.string()),
      pix_fmt: z.optional(z.string()),
      width: z.optional(z.int()),
      height: z.optional(z.int()),
      has_b_frames: z.optional(z.int()),
      r_frame_rate: z.optional(z.string()),
      time_base: z.optional(z.string()),
    }),
  ),
});

const Decoded = z.object({ frames: z.optional(z.array(z.object({}))) });

/** The pictures of a file in the order in which they lie in it. */
export interface Packets {
  readonly count: number;
  /** Presentation time, ms; NaN where the file says none. */
  readonly ptsMs: readonly number[];
  /** Decoding time, ms; NaN where the file says none. */
  readonly dtsMs: readonly number[];
  /** Usual distance of two pictures, ms. */
  readonly usualMs: number;
  /** Longest stretch without a picture that stands for itself, in pictures. */
  readonly longestGroup: number;
}

export interface VideoFacts {
  readonly container: ContainerName;
  readonly codec: string;
  readonly pixelFormat: string;
  readonly width: number;
  readonly height: number;
  /** Pictures may lie in another order than they are shown. */
  readonly isReordered: boolean;
  /** Seconds a tick, as a fraction: `1/90000`. */
  readonly timeBase: string;
  /** Pictures a second, on average. */
  readonly frameRate: number;
  /** Undefined without sound. */
  readonly audioCodec: string | undefined;
  readonly durationMs: number;
  readonly packets: Packets;
}

/**
 * Reads what a file is, decodes its first pictures and looks at every packet of its video.
 * @param file in a folder of its own
 * @returns undefined when it is not a video that can be decoded
 */
export async function readVideo(ffmpeg: Ffmpeg, file: string): Promise<VideoFacts | undefined> {
  const found = await ask(ffmpeg, file, Probe, [
    '-show_entries',
    'format=format_name:format_tags=major_brand:stream=index,codec_type,codec_name,pix_fmt,width,height,has_b_frames,r_frame_rate,time_base',
  ]);
  const video = found?.streams.find((stream) => stream.codec_type === 'video');
  if (found === undefined || video === undefined) return undefined;
  const container = containerOf(found.format.format_name, found.format.tags?.major_brand ?? '');
  if (container === undefined) return undefined;
  const first = ['-read_intervals', '%+#8', '-select_streams', 'v:0', '-show_entries'];
  const decoded = await ask(ffmpeg, file, Decoded, [...first, 'frame=media_type']);
  if ((decoded?.frames ?? []).length === 0) return undefined;
  const nominalMs = 1000 / (ratio(video.r_frame_rate) || 25);
  const packets = await readPackets(ffmpeg, file, ratio(video.time_base), nominalMs);
  if (packets === undefined) return undefined;
  const durationMs = durationOf(packets);
  const audio = found.streams.find((stream) => stream.codec_type === 'audio');
  return {
    container,
    codec: video.codec_name ?? '',
    pixelFormat: video.pix_fmt ?? '',
    width: video.width ?? 0,
    height: video.height ?? 0,
    isReordered: (video.has_b_frames ?? 0) > 0,
    timeBase: video.time_base ?? '',
    frameRate: (packets.count * 1000) / durationMs,
    audioCodec: audio === undefined ? undefined : (audio.codec_name ?? 'unknown'),
    durationMs: Math.round(durationMs),
    packets,
  };
}

async function ask<S extends z.ZodMiniType>(
  ffmpeg: Ffmpeg,
  file: string,
  schema: S,
  entries: readonly string[],
): Promise<z.output<S> | undefined> {
  const text = await askLimited({
    program: ffmpeg.ffprobePath,
    args: ['-v', 'error', ...READ_LIMITS, ...entries, '-of', 'json', path.basename(file)],
    beside: file,
  });
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

async function readPackets(
  ffmpeg: Ffmpeg,
  file: string,
  tickS: number,
  nominalMs: number,
): Promise<Packets | undefined> {
  const ptsMs: number[] = [];
  const dtsMs: number[] = [];
  let group = 0;
  let longestGroup = 0;
  const done = await runLimited({
    program: ffmpeg.ffprobePath,
    args: [
      ...['-v', 'error', ...READ_LIMITS, '-select_streams', 'v:0'],
      ...['-show_entries', 'packet=pts,dts,flags', '-of', 'compact=p=0', path.basename(file)],
    ],
    beside: file,
    onLine: (line) => {
      if (!line.startsWith('pts=')) return;
      const [pts, dts, flags] = line.split('|').map((field) => field.slice(field.indexOf('=') + 1));
      ptsMs.push(Number(pts) * tickS * 1000);
      dtsMs.push(Number(dts) * tickS * 1000);
      group = flags?.startsWith('K') ? 1 : group + 1;
      longestGroup = Math.max(longestGroup, group);
    },
  });
  const count = ptsMs.length;
  if (!done || count === 0) return undefined;
  const steps = dtsMs.slice(1).map((ms, index) => ms - (dtsMs[index] ?? Number.NaN));
  const usual = median(steps.filter((ms) => ms > 0));
  return { count, ptsMs, dtsMs, usualMs: usual ?? nominalMs, longestGroup };
}

function median(values: number[]): number | undefined {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

// `1/90000`, `25/2`; 0 for what is none.
function ratio(text: string | undefined): number {
  const [above, below] = (text ?? '').split('/').map(Number);
  return above && below ? above / below : 0;
}
