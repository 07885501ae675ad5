import type { SHOWN_FORMATS } from '@ridewatch/contract/news';

type Shown = (typeof SHOWN_FORMATS)[number];

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1');

/** The image format of a file by its first bytes; undefined for every other file. */
function imageFormatOf(bytes: Uint8Array): Shown | undefined {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  return undefined;
}

const IMAGES: readonly string[] = ['jpeg', 'jpg', 'png', 'gif', 'webp'];

/**
 * The format of a file by its content. What is no image that screens show has the ending of its name, unless that claims
 * such an image. An SVG is no image here, because it can contain scripts.
 */
export function formatOf(bytes: Uint8Array, name: string): string {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin';
  return imageFormatOf(bytes) ?? (IMAGES.includes(ending) ? 'bin' : ending);
}
