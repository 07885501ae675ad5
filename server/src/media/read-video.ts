// The properties of a received file, read from its packets: its header and its sender are not trusted.

import path from 'node:path';
import { mergedSize } from '@ridewatch/contract/merges';
import { beginsAtZero, containerOf } from './containers.ts';
import { readDocType } from './doc-type.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { listShapes, pixelAspectOf, shownSize, turnOf } from './pictures.ts';
import { READ_LIMITS, runLimited } from './run-limited.ts';
import { durationOf, elapsedOf } from './timeline.ts';
import type { Packets, VideoFacts } from './video-facts.ts';

/**
 * Reads the properties of a file and the times of its frames. Whether they decode shows when the thumbnails are made.
 * @param file in a folder of its own
 * @returns undefined when it is not a video
 */
export async function readVideo(ffmpeg: Ffmpeg, file: string): Promise<VideoFacts | undefined> {
  const probe = await probeFile(ffmpeg, file);
  const video = probe?.streams.find((stream) => stream.get('codec_type') === 'video');
  if (probe === undefined || video === undefined) return undefined;
  const { format, streams } = probe;
  const formatName = format.get('format_name') ?? '';
  // A converted file may keep the tags of its former container.
  const isEbml = formatName.includes('matroska');
  const kind = isEbml ? await readDocType(file) : format.get('tag:major_brand');
  const container = containerOf(formatName, kind);
  const frames = withoutLength(videoPacketsOf(probe, video));
  if (container === undefined || frames.length === 0) return undefined;
  const firstKey = Math.max(
    0,
    frames.findIndex(({ isKey }) => isKey),
  );
  const hidesFrames = frames.some(({ isHidden }) => isHidden);
  const whole = frames.slice(firstKey);
  const shown = hidesFrames ? inShownOrder(whole.filter(({ isHidden }) => !isHidden)) : whole;
  if (shown.length === 0) return undefined;
  const packets = packetsOf(shown, video);
  const sounds = streams.filter((stream) => stream.get('codec_type') === 'audio');
  // Priming is before 0.
  const least = beginsAtZero(container) ? 0 : Number.NEGATIVE_INFINITY;
  const starts = sounds.map((sound) => Math.max(least, startOf(probe, sound)));
  const before = hidesFrames ? shown.slice(0, 1) : frames.slice(0, firstKey + 1);
  const leadMs = leadOf(before, starts, packets.usualMs);
  const durationMs = durationOf(packets);
  const [audio] = sounds;
  return {
    container,
    codec: video.get('codec_name') ?? '',
    pixelFormat: video.get('pix_fmt') ?? '',
    ...(await readPictures(ffmpeg, file, video, durationMs)),
    hidesFrames,
    isReordered: Number(video.get('has_b_frames') ?? 0) > 0,
    timeBase: video.get('time_base') ?? '',
    frameRate: (packets.count * 1000) / durationMs,
    audioCodec: audio === undefined ? undefined : (audio.get('codec_name') ?? 'unknown'),
    soundMs: audio === undefined ? undefined : lengthOf(probe, audio),
    leadMs,
    durationMs: Math.round(leadMs + durationMs),
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
  'format=format_name:format_tags=major_brand',
  'stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,has_b_frames,r_frame_rate,time_base',
  'stream_side_data=displaymatrix',
  'packet=stream_index,pts,dts,flags',
].join(':');

// One run for everything: starting ffprobe costs more than reading a short file.
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
      // ffprobe lists a stream of a transport stream twice, once in its programme.
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

interface Packet {
  readonly ptsMs: number;
  readonly dtsMs: number;
  readonly isKey: boolean;
  /** An edit list hides it. */
  readonly isHidden: boolean;
}

const HIDDEN = /\|flags=.?D/;

function videoPacketsOf({ packets }: Probe, video: Fields): Packet[] {
  const tickMs = ratio(video.get('time_base')) * 1000;
  const mine = `stream_index=${video.get('index')}|`;
  const frames: Packet[] = [];
  for (const line of packets) {
    if (line.startsWith(mine)) frames.push(packetOf(line, tickMs));
  }
  return frames;
}

function packetOf(line: string, tickMs: number): Packet {
  const [, pts, dts, flags = ''] = line
    .split('|')
    .map((field) => field.slice(field.indexOf('=') + 1));
  const isKey = flags.startsWith('K');
  return {
    ptsMs: Number(pts) * tickMs,
    dtsMs: Number(dts) * tickMs,
    isKey,
    isHidden: HIDDEN.test(line),
  };
}

// Many writers, ffmpeg among them, do not know how long the last frame lasts, and their edit list ends where it begins.
function withoutLength(frames: readonly Packet[]): Packet[] {
  const last = frames.reduce<Packet | undefined>(
    (latest, frame) => (latest === undefined || frame.ptsMs > latest.ptsMs ? frame : latest),
    undefined,
  );
  const isLastAlone = frames.every((frame) => frame.isHidden === (frame === last));
  return isLastAlone ? frames.map((frame) => ({ ...frame, isHidden: false })) : [...frames];
}

// Among the decoding times of frames, those of hidden ones are missing.
function inShownOrder(frames: readonly Packet[]): Packet[] {
  return frames
    .map((frame) => ({ ...frame, dtsMs: frame.ptsMs }))
    .sort((a, b) => a.ptsMs - b.ptsMs);
}

async function readPictures(
  ffmpeg: Ffmpeg,
  file: string,
  video: Fields,
  mediaMs: number,
): Promise<Pick<VideoFacts, 'width' | 'height' | 'isUpright' | 'stored'>> {
  const { isTurned, isOnSide } = turnOf(video.get('displaymatrix'));
  const named = {
    width: Number(video.get('width') ?? 0),
    height: Number(video.get('height') ?? 0),
    aspect: pixelAspectOf(video.get('sample_aspect_ratio')),
  };
  const found = await listShapes(ffmpeg, file, mediaMs);
  const shapes = found.length === 0 ? [named] : found;
  // The container's own pixel aspect counts before that of the pictures, where they are all alike.
  const [first = named] = shapes;
  const sizes = shapes.length > 1 ? shapes : [{ ...first, aspect: named.aspect }];
  const { width, height } = mergedSize(sizes.map(shownSize)) ?? named;
  return {
    ...(isOnSide ? { width: height, height: width } : { width, height }),
    isUpright: !isTurned && shapes.length === 1,
    stored: shapes.length === 1 ? { width: first.width, height: first.height } : undefined,
  };
}

// Start of a stream by the file's clock; NaN where the file has none.
function startOf({ packets }: Probe, stream: Fields): number {
  const mine = `stream_index=${stream.get('index')}|`;
  const first = packets.find((line) => line.startsWith(mine) && !HIDDEN.test(line));
  if (first === undefined) return Number.NaN;
  return packetOf(first, ratio(stream.get('time_base')) * 1000).ptsMs;
}

function lengthOf(probe: Probe, stream: Fields): number | undefined {
  const mine = `stream_index=${stream.get('index')}|`;
  const last = probe.packets.findLast((line) => line.startsWith(mine) && !HIDDEN.test(line));
  if (last === undefined) return undefined;
  const endMs = packetOf(last, ratio(stream.get('time_base')) * 1000).ptsMs;
  const lengthMs = endMs - startOf(probe, stream);
  return Number.isFinite(lengthMs) ? lengthMs : undefined;
}

// The last of these frames is the first that can be shown. Steps are summed, so that a clock that is set does no harm.
function leadOf(frames: readonly Packet[], sounds: readonly number[], usualMs: number): number {
  const dtsMs = frames.map((frame) => frame.dtsMs);
  const decoded = elapsedOf({ count: dtsMs.length, dtsMs, usualMs });
  const shown = frames.map((frame, index) => {
    const delay = frame.ptsMs - frame.dtsMs;
    return (decoded[index] ?? 0) + (Number.isFinite(delay) ? delay : 0);
  });
  const [{ ptsMs, dtsMs: clockMs } = { ptsMs: Number.NaN, dtsMs: Number.NaN }] = frames;
  const startMs = Number.isFinite(clockMs) ? clockMs : ptsMs;
  const heard = sounds.map((ms) => ms - startMs).filter(Number.isFinite);
  const first = shown.at(-1) ?? 0;
  return shown.concat(heard).reduce((lead, ms) => Math.max(lead, first - ms), 0);
}

function packetsOf(frames: readonly Packet[], video: Fields): Packets {
  const ptsMs = frames.map((frame) => frame.ptsMs);
  const dtsMs = frames.map((frame) => frame.dtsMs);
  let group = 0;
  let longestGroup = 0;
  for (const { isKey } of frames) {
    group = isKey ? 1 : group + 1;
    longestGroup = Math.max(longestGroup, group);
  }
  const steps = dtsMs.slice(1).map((ms, index) => ms - (dtsMs[index] ?? Number.NaN));
  const usual = median(steps.filter((ms) => ms > 0));
  const nominalMs = 1000 / (ratio(video.get('r_frame_rate')) || 25);
  return { count: ptsMs.length, ptsMs, dtsMs, usualMs: usual ?? nominalMs, longestGroup };
}

function median(values: number[]): number | undefined {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

// `1/90000`, `25/2`; 0 when it is no fraction.
function ratio(text: string | undefined): number {
  const [above, below] = (text ?? '').split('/').map(Number);
  return above && below ? above / below : 0;
}
