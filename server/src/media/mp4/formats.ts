// The video and audio formats of a stored MP4, from its sample descriptions (ISO/IEC 14496-12, section 8.5.2; 14496-15,
// section 5.3.3; 14496-1, section 7.2.6; 14496-3, section 1.6.2).
import type { FrameSize } from '@ridewatch/contract/merges';
import { pixelAspectOf, shownSize } from '../pictures.ts';
import { type Box, boxesOf, type Track } from './mp4-index.ts';

/** Bytes of a visual sample entry before its inner boxes, without its header. */
const VISUAL_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;
/** Samples in a frame of AAC-LC. */
export const FRAME_SAMPLES = 1024;
const RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
];

export interface VideoFormat {
  readonly width: number;
  readonly height: number;
  /** Pixel aspect ratio as a fraction: `1/1`. */
  readonly aspect: string;
  /** The sample entry with its header. */
  readonly entry: Buffer;
  /** Parameter sets that precede a keyframe so that it decodes under another sample entry. */
  readonly sets: Buffer;
}

export interface SoundFormat {
  readonly rate: number;
  readonly channels: number;
  readonly entry: Buffer;
}

/** Undefined for video that cannot be copied into a merge. */
export function videoFormatOf(track: Track): VideoFormat | undefined {
  const entry = entryOf(track.box);
  if (entry?.type !== 'avc1') return undefined;
  const sets = setsOf(visualBoxOf(entry, 'avcC'));
  return sets && { ...pictureOf(entry), entry: entry.whole, sets };
}

/** The size at which a video is shown, upright and on square pixels; undefined when it has several sample entries. */
export function shownSizeOf(track: Track): FrameSize | undefined {
  const entry = entryOf(track.box);
  if (entry === undefined) return undefined;
  const { width, height, aspect } = pictureOf(entry);
  const size = shownSize({ width, height, aspect: pixelAspectOf(aspect) });
  return isOnSide(track) ? { width: size.height, height: size.width } : size;
}

/**
 * Whether a copy of all frames shows what the track shows: it turns none, and its edit list hides none. Verification makes
 * such files; older ones are in the store.
 */
export function isShownAsStored(track: Track): boolean {
  const [a, b, c, d] = matrixOf(track);
  return (
    a > 0 &&
    b === 0 &&
    c === 0 &&
    d > 0 &&
    track.samples.every(({ shown, ticks }) => shown + ticks > 0)
  );
}

const isOnSide = (track: Track): boolean => {
  const [a, b] = matrixOf(track);
  return Math.abs(b) > Math.abs(a);
};

// The first two columns of the first two rows, in the track header before width and height.
function matrixOf({ box }: Track): readonly [a: number, b: number, c: number, d: number] {
  const head = boxesOf(box.content).find(({ type }) => type === 'tkhd')?.content;
  const at = head?.[0] === 1 ? 52 : 40;
  if (head === undefined || head.length < at + 36) return [1, 0, 0, 1];
  return [
    head.readInt32BE(at),
    head.readInt32BE(at + 4),
    head.readInt32BE(at + 12),
    head.readInt32BE(at + 16),
  ];
}

function pictureOf(entry: Box): Pick<VideoFormat, 'width' | 'height' | 'aspect'> {
  const points = visualBoxOf(entry, 'pasp');
  const aspect = points && points.readUInt32BE(4) > 0 ? points : undefined;
  return {
    width: entry.content.readUInt16BE(24),
    height: entry.content.readUInt16BE(26),
    aspect: aspect ? `${aspect.readUInt32BE(0)}/${aspect.readUInt32BE(4)}` : '1/1',
  };
}

const visualBoxOf = (entry: Box, name: string): Buffer | undefined =>
  boxesOf(entry.content.subarray(VISUAL_ENTRY_BYTES)).find(({ type }) => type === name)?.content;

/** Undefined for audio that is not plain AAC of one or two channels. */
export function soundFormatOf({ box, timescale }: Track): SoundFormat | undefined {
  const entry = entryOf(box);
  // Version 1 of the entry is QuickTime's and longer.
  if (entry?.type !== 'mp4a' || entry.content.readUInt16BE(8) !== 0) return undefined;
  const esds = boxesOf(entry.content.subarray(AUDIO_ENTRY_BYTES)).find(
    ({ type }) => type === 'esds',
  );
  const plain = esds && plainAacOf(esds.content.subarray(4));
  if (!plain || plain.rate !== timescale) return undefined;
  return { ...plain, entry: entry.whole };
}

function entryOf(track: Box): Box | undefined {
  let box: Box | undefined = track;
  for (const name of ['mdia', 'minf', 'stbl', 'stsd']) {
    box = boxesOf(box.content).find(({ type }) => type === name);
    if (box === undefined) return undefined;
  }
  const entries = boxesOf(box.content.subarray(8));
  return entries.length === 1 ? entries[0] : undefined;
}

// Parameter sets, each after its length in four bytes as in a sample; other length sizes are not copied.
function setsOf(config: Buffer | undefined): Buffer | undefined {
  if (config === undefined || config.length < 7 || ((config[4] ?? 0) & 3) !== 3) return undefined;
  const sets: Buffer[] = [];
  let at = 6;
  let left = (config[5] ?? 0) & 31;
  for (const kind of ['sequence', 'picture']) {
    for (; left > 0 && at + 2 <= config.length; left -= 1) {
      const length = config.readUInt16BE(at);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(length);
      sets.push(head, config.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    if (kind === 'sequence') left = config[at++] ?? 0;
  }
  return Buffer.concat(sets);
}

function plainAacOf(descriptors: Buffer): { rate: number; channels: number } | undefined {
  const config = decoderInfoOf(descriptors);
  if (config === undefined || config.length < 2) return undefined;
  const bits = [...config].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const read = (from: number, length: number): number =>
    Number.parseInt(bits.slice(from, from + length) || '0', 2);
  const rate = RATES[read(5, 4)];
  const channels = read(9, 4);
  const hasLongFrames = read(13, 1) === 0;
  // After the plain part there may be a flag for spectral band replication, which doubles the rate.
  const isDoubled = read(16, 11) === 0x2b7 && read(27, 5) === 5 && read(32, 1) === 1;
  const isPlain = read(0, 5) === 2 && hasLongFrames && !isDoubled;
  if (!isPlain || rate === undefined || channels < 1 || channels > 2) return undefined;
  return { rate, channels };
}

// A descriptor is a tag, a length of seven bits a byte, and content: 3 contains 4, which contains 5.
function decoderInfoOf(bytes: Buffer): Buffer | undefined {
  let at = 0;
  for (const { tag, skip } of [
    { tag: 3, skip: 3 },
    { tag: 4, skip: 13 },
    { tag: 5, skip: 0 },
  ]) {
    if (bytes[at] !== tag) return undefined;
    at += 1;
    let length = 0;
    for (let more = true; more && at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      length = length * 128 + (byte & 127);
      more = byte >= 128;
    }
    // The object type: 0x40 is AAC.
    if (tag === 4 && bytes[at] !== 0x40) return undefined;
    if (tag === 5) return bytes.subarray(at, at + length);
    at += skip;
  }
  return undefined;
}
