// What a received file is, read from its packets: nothing that its head or its sender says is believed.
import path from 'node:path';
import { type ContainerName, containerOf } from './containers.ts';
import { readDocType } from './doc-type.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { READ_LIMITS, runLimited } from './run-limited.ts';
import { durationOf, leadOf } from './timeline.ts';

/** The pictures of a file in the order in which they lie in it. */
export interface Packets {
  readonly count: number;
  /** When the file begins by its own clock, ms: its first picture or sound. */
  readonly beginMs: number;
  /** So many at the beginning need one that is not in the file: nobody ever sees them. */
  readonly unseen: number;
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
  /** From the beginning of the file to the end of its pictures. */
  readonly durationMs: number;
  readonly packets: Packets;
}

/**
 * Reads what a file is and when each of its pictures comes. Whether they can be decoded is seen when they are shown
 * small.
 * @param file in a folder of its own
 * @returns undefined when it is not a video
 */
export async function readVideo(ffmpeg: Ffmpeg, file: string): Promise<VideoFacts | undefined> {
  const probe = await probeFile(ffmpeg, file);
  const video = probe?.streams.find((stream) => stream.get('codec_type') === 'video');
  if (probe === undefined || video === undefined) return undefined;
  const { format, streams } = probe;
  const formatName = format.get('format_name') ?? '';
  // A file of the one form may carry the tags of another that it was made from.
  const isEbml = formatName.includes('matroska');
  const kind = isEbml ? await readDocType(file) : format.get('tag:major_brand');
  const container = containerOf(formatName, kind);
  const packets = packetsOf(probe, video);
  if (container === undefined || packets.count === 0) return undefined;
  const picturesMs = durationOf(packets);
  const audio = streams.find((stream) => stream.get('codec_type') === 'audio');
  return {
    container,
    codec: video.get('codec_name') ?? '',
    pixelFormat: video.get('pix_fmt') ?? '',
    width: Number(video.get('width') ?? 0),
    height: Number(video.get('height') ?? 0),
    isReordered: Number(video.get('has_b_frames') ?? 0) > 0,
    timeBase: video.get('time_base') ?? '',
    frameRate: (packets.count * 1000) / picturesMs,
    audioCodec: audio === undefined ? undefined : (audio.get('codec_name') ?? 'unknown'),
    durationMs: Math.round(leadOf(packets) + picturesMs),
    packets,
  };
}

/** Fields of a line of ffprobe. */
type Fields = ReadonlyMap<string, string>;

interface Probe {
  readonly format: Fields;
  readonly streams: readonly Fields[];
  /** `stream_index=0|pts=…|dts=…|flags=…`, as they come. */
  readonly packets: readonly string[];
}

const ENTRIES = [
  'format=format_name,start_time:format_tags=major_brand',
  'stream=index,codec_type,codec_name,pix_fmt,width,height,has_b_frames,r_frame_rate,time_base',
  'packet=stream_index,pts,dts,flags',
].join(':');

// One run for all: starting the program costs more than reading a short file.
async function probeFile(ffmpeg: Ffmpeg, file: string): Promise<Probe | undefined> {
  let format: Fields = new Map();
  const streams: Fields[] = [];
  const packets: string[] = [];
  const done = await runLimited({
    program: ffmpeg.ffprobePath,
    args: [
      '-v',
      'error',
      ...READ_LIMITS,
      '-show_entries',
      ENTRIES,
      '-of',
      'compact',
      path.basename(file),
    ],
    beside: file,
    onLine: (line) => {
      if (line.startsWith('packet|')) packets.push(line.slice('packet|'.length));
      else if (line.startsWith('format|')) format = fieldsOf(line);
      // A stream of a transport stream is told of twice, once within its programme.
      else if (line.includes('stream|')) streams.push(fieldsOf(line));
    },
  });
  return done ? { format, streams, packets } : undefined;
}

function fieldsOf(line: string): Fields {
  return new Map(
    line.split('|').flatMap((field): [string, string][] => {
      const at = field.indexOf('=');
      return at < 0 ? [] : [[field.slice(0, at), field.slice(at + 1)]];
    }),
  );
}

function packetsOf(probe: Probe, video: Fields): Packets {
  const tickMs = ratio(video.get('time_base')) * 1000;
  const mine = `stream_index=${video.get('index')}|`;
  const ptsMs: number[] = [];
  const dtsMs: number[] = [];
  let group = 0;
  let longestGroup = 0;
  let unseen: number | undefined;
  for (const line of probe.packets) {
    if (!line.startsWith(mine)) continue;
    const [, pts, dts, flags] = line.split('|').map((field) => field.slice(field.indexOf('=') + 1));
    ptsMs.push(Number(pts) * tickMs);
    dtsMs.push(Number(dts) * tickMs);
    const isKey = flags?.startsWith('K') === true;
    if (isKey) unseen ??= ptsMs.length - 1;
    group = isKey ? 1 : group + 1;
    longestGroup = Math.max(longestGroup, group);
  }
  const steps = dtsMs.slice(1).map((ms, index) => ms - (dtsMs[index] ?? Number.NaN));
  const usual = median(steps.filter((ms) => ms > 0));
  const nominalMs = 1000 / (ratio(video.get('r_frame_rate')) || 25);
  return {
    count: ptsMs.length,
    beginMs: (Number(probe.format.get('start_time')) || 0) * 1000,
    unseen: unseen ?? 0,
    ...{ ptsMs, dtsMs, usualMs: usual ?? nominalMs, longestGroup },
  };
}

function median(values: number[]): number | undefined {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

// `1/90000`, `25/2`; 0 for what is none.
function ratio(text: string | undefined): number {
  const [above, below] = (text ?? '').split('/').map(Number);
  return above && below ? above / below : 0;
}
