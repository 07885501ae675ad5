// The playlist of a unit (RFC 8216, as ffmpeg's HLS muxer writes it), and the one for viewers. Only numbers and valid
// names of the unit's are used: none of its lines reaches a viewer.
import { LiveCodec } from '@ridewatch/contract/live';
import * as z from 'zod/mini';

/** Most segments that a playlist lists and that are stored of a stream. */
export const MAX_SEGMENTS = 12;
const MAX_SEGMENT_S = 20;

export const LivePlaylist = z.object({
  /** The longest segment, whole seconds. */
  target_s: z.int(),
  /** Number of the first segment in the list. */
  first: z.int(),
  pieces: z.array(z.object({ name: z.string(), seconds: z.number() })),
  /** How the pictures are coded; missing where the unit does not say. */
  codec: z.optional(LiveCodec),
});
export type LivePlaylist = z.infer<typeof LivePlaylist>;

/**
 * Reads a unit's playlist.
 * @returns undefined when it is not a playlist, or lists a name that is not one of a segment
 */
export function readPlaylist(text: string): LivePlaylist | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') return undefined;
  const first = numberAfter(lines, '#EXT-X-MEDIA-SEQUENCE:');
  const pieces: LivePlaylist['pieces'] = [];
  let seconds: number | undefined;
  for (const line of lines) {
    const length = /^#EXTINF:(\d{1,3}(?:\.\d{1,9})?),/.exec(line)?.[1];
    if (length !== undefined) seconds = Number(length);
    if (line === '' || line.startsWith('#')) continue;
    if (seconds === undefined || seconds > MAX_SEGMENT_S) return undefined;
    if (!/^\d{1,12}\.m4s$/.test(line)) return undefined;
    pieces.push({ name: line, seconds });
    seconds = undefined;
  }
  if (first === undefined || pieces.length === 0 || pieces.length > MAX_SEGMENTS) return undefined;
  const target_s = Math.max(1, ...pieces.map((segment) => Math.ceil(segment.seconds)));
  return { target_s, first, pieces };
}

function numberAfter(lines: readonly string[], tag: string): number | undefined {
  const line = lines.find((one) => one.startsWith(tag));
  const digits = line === undefined ? undefined : /^\d{1,15}$/.exec(line.slice(tag.length))?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Writes the playlist for a viewer.
 * @param addressOf the signed address of a segment
 */
export function writePlaylist(
  { target_s, first, pieces }: LivePlaylist,
  addressOf: (name: string) => string,
): string {
  return `${[
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target_s}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${addressOf('init.mp4')}"`,
    ...pieces.flatMap(({ name, seconds }) => [`#EXTINF:${seconds.toFixed(5)},`, addressOf(name)]),
  ].join('\n')}\n`;
}
