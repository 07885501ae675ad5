// Puts pictures together from packets. A picture whose packets are not all there is dropped, and with it all that follow
// until the next key picture, which needs no other.
import { SERIALS } from '../jt808/codes.ts';
import { DATA, PART } from './codes.ts';
import type { Packet } from './packets.ts';
import { createPictureTimes, type PictureTimes } from './picture-times.ts';

/** Most bytes of a picture. */
export const MOST_PICTURE_BYTES = 2 * 2 ** 20;
/** Most parts of a picture: the standard's have 950 bytes, and these 256. An empty one takes memory, too. */
const MOST_PARTS = 8192;

export interface Picture extends PictureTimes {
  readonly isKey: boolean;
  /** In the form of Annex B of H.264 and H.265: units with start codes. */
  readonly bytes: Buffer;
}

export interface PictureReader {
  /** Takes a packet of a picture. @returns the picture that it completes */
  take(packet: Packet): Picture | undefined;
  /** Notes the number of a packet that holds no picture. */
  pass(packet: Packet): void;
}

interface Begun {
  readonly data: number;
  readonly timeMs: number;
  readonly parts: Buffer[];
  bytes: number;
}

/** Makes the reader of one stream. It keeps the parts of one picture. */
export function createPictureReader(): PictureReader {
  let begun: Begun | undefined;
  /** Until the first key picture, and after a gap until the next one. */
  let isBroken = true;
  /** Some terminals number all packets of a channel together, others pictures and sound apart. */
  let lastSerial: number | undefined;
  let lastPictureSerial: number | undefined;
  const timesAt = createPictureTimes();

  const breakOff = (): void => {
    begun = undefined;
    isBroken = true;
  };
  const isNext = (serial: number): boolean =>
    lastPictureSerial === undefined ||
    follows(lastSerial, serial) ||
    follows(lastPictureSerial, serial);

  function finish({ data, timeMs, parts }: Begun): Picture | undefined {
    begun = undefined;
    const isKey = data === DATA.key;
    if (isBroken && !isKey) return undefined;
    isBroken = false;
    return { isKey, ...timesAt(timeMs), bytes: Buffer.concat(parts) };
  }

  return {
    pass: ({ serial }) => {
      lastSerial = serial;
    },
    take: ({ serial, data, part, timeMs, body }) => {
      if (!isNext(serial)) breakOff();
      [lastSerial, lastPictureSerial] = [serial, serial];
      const begins = part === PART.whole || part === PART.first;
      // An unfinished picture before this one, or this one without its beginning.
      if (begins === (begun !== undefined)) breakOff();
      if (begins) begun = { data, timeMs, parts: [], bytes: 0 };
      if (begun === undefined) return undefined;
      begun.bytes += body.length;
      if (begun.bytes > MOST_PICTURE_BYTES || begun.parts.length >= MOST_PARTS) {
        breakOff();
        return undefined;
      }
      const isLast = part === PART.whole || part === PART.last;
      // A part that waits is copied: a view would keep all of the read bytes.
      begun.parts.push(isLast ? body : Buffer.from(body));
      return isLast ? finish(begun) : undefined;
    },
  };
}

const follows = (last: number | undefined, serial: number): boolean =>
  last !== undefined && (last + 1) % SERIALS === serial;
