// The messages of JT/T 1078 by which a terminal lists its files, uploads one by FTP, and cancels that.
import { plainAddress } from '../by-id/addresses.ts';
import { bcdTime } from '../jt808/bcd.ts';
import { FILE, MEDIA } from './codes.ts';
import type { FileKind, Period } from './file-list.ts';

const NO_ALARMS = Buffer.alloc(8);
const CANCEL = 2;
/** Any file, where the list does not say what it is. */
export const ANY_KIND: FileKind = { media: MEDIA.any, stream: FILE.any, storage: FILE.any };

/** A time of a channel by the terminal's clock. */
interface ChannelTime extends Period {
  /** 1 to 255. */
  readonly channel: number;
  /** How far the terminal's clock is ahead of UTC, hours. */
  readonly clockHours: number;
}

/** A file to upload, and the FTP server that takes it. */
export interface UploadRequest extends ChannelTime {
  readonly kind: FileKind;
  /** At most 255 bytes. */
  readonly host: string;
  readonly port: number;
  readonly login: string;
  readonly password: string;
  readonly path: string;
  /** Bits of LINKS. */
  readonly links: number;
}

/** Asks a terminal for the files of a time. @returns the body of message 0x9205 */
export const listBody = (time: ChannelTime): Buffer => filesOf(time, ANY_KIND);

/** Asks a terminal to upload a file. @returns the body of message 0x9206 */
export function uploadBody(request: UploadRequest): Buffer {
  const { host, port, login, password, path, kind, links } = request;
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16BE(port, 0);
  return Buffer.concat([
    ...[counted(plainAddress(host)), portBytes, counted(login), counted(password), counted(path)],
    ...[filesOf(request, kind), Buffer.from([links])],
  ]);
}

/** Cancels an upload. @param serial of the message that asked for it @returns the body of message 0x9207 */
export function cancelBody(serial: number): Buffer {
  const body = Buffer.from([0, 0, CANCEL]);
  body.writeUInt16BE(serial, 0);
  return body;
}

function filesOf({ channel, startMs, endMs, clockHours }: ChannelTime, kind: FileKind): Buffer {
  return Buffer.concat([
    ...[Buffer.from([channel]), bcdTime(startMs, clockHours), bcdTime(endMs, clockHours)],
    ...[NO_ALARMS, Buffer.from([kind.media, kind.stream, kind.storage])],
  ]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
