// The bodies of JT/T 1078 messages about video, as a terminal reads and writes them. It shares nothing with the server:
// each reads the standard by itself.
import { bcdTime } from '../jt808/bodies.ts';
import { u16 } from '../jt808/message.ts';

/** Ids of messages about video. */
export const JT1078 = {
  startLive: 0x9101,
  controlLive: 0x9102,
  queryFiles: 0x9205,
  files: 0x1205,
  upload: 0x9206,
  uploaded: 0x1206,
  controlUpload: 0x9207,
} as const;

/** Words of 0x9207. */
export const UPLOAD_CONTROL = { pause: 0, go: 1, cancel: 2 } as const;

const HOUR_MS = 3_600_000;

/** Request of a server in 0x9101. */
export interface LiveRequest {
  readonly host: string;
  readonly port: number;
  readonly channel: number;
  /** 0: pictures and sound, 1: pictures. */
  readonly kind: number;
  /** 0: main, 1: sub. */
  readonly stream: number;
}

/** A choice of files, as 0x9205 and 0x9206 name it. */
export interface FileQuery {
  /** 0: all. */
  readonly channel: number;
  /** ms since 1970 UTC; undefined: from the first one. */
  readonly startMs: number | undefined;
  /** Undefined: up to the last one. */
  readonly endMs: number | undefined;
  /** Alarms during which a file was recorded; 0: all files. */
  readonly alarm: bigint;
  /** 0: sound and pictures, 1: sound, 2: pictures, 3: pictures or both. */
  readonly type: number;
  /** 0: all, 1: main, 2: sub. */
  readonly stream: number;
  /** 0: all, 1: main, 2: backup. */
  readonly storage: number;
}

/** A recording on the main storage, pictures only. */
export interface RecordedFile {
  readonly channel: number;
  /** ms since 1970 UTC, whole seconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly sizeBytes: number;
}

/** A request in 0x9206. */
export interface UploadRequest {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The folder. */
  readonly path: string;
  readonly query: FileQuery;
  /** Links by which the file may go, bits: 0 Wi-Fi, 1 LAN, 2 mobile network. */
  readonly conditions: number;
}

/** Reads 0x9101. @throws RangeError for a body that is cut off */
export function readLiveRequest(body: Buffer): LiveRequest {
  const end = 1 + body.readUInt8(0);
  return {
    ...{ host: body.toString('latin1', 1, end), port: body.readUInt16BE(end) },
    ...{ channel: body.readUInt8(end + 4), kind: body.readUInt8(end + 5) },
    stream: body.readUInt8(end + 6),
  };
}

/**
 * Reads 0x9205.
 * @param clockHours how far the terminal's clock is ahead of UTC
 * @throws RangeError for a body that is cut off
 */
export function readFileQuery(body: Buffer, clockHours: number): FileQuery {
  return {
    channel: body.readUInt8(0),
    startMs: readTime(body.subarray(1, 7), clockHours),
    endMs: readTime(body.subarray(7, 13), clockHours),
    alarm: body.readBigUInt64BE(13),
    ...{ type: body.readUInt8(21), stream: body.readUInt8(22), storage: body.readUInt8(23) },
  };
}

/** Reads 0x9206. @throws RangeError for a body that is cut off */
export function readUploadRequest(body: Buffer, clockHours: number): UploadRequest {
  let at = 0;
  const text = (): string => {
    const end = at + 1 + body.readUInt8(at);
    const value = body.toString('latin1', at + 1, end);
    at = end;
    return value;
  };
  const host = text();
  const port = body.readUInt16BE(at);
  at += 2;
  return {
    ...{ host, port, user: text(), password: text(), path: text() },
    query: readFileQuery(body.subarray(at), clockHours),
    conditions: body.readUInt8(at + 24),
  };
}

/** The body of a list of files (0x1205). @param serial of the query */
export function filesBody(
  serial: number,
  files: readonly RecordedFile[],
  clockHours: number,
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(files.length);
  return Buffer.concat([u16(serial), count, ...files.map((file) => fileItem(file, clockHours))]);
}

/** The body of the end of an upload (0x1206). @param serial of its request */
export const uploadedBody = (serial: number, isDone: boolean): Buffer =>
  Buffer.concat([u16(serial), Buffer.from([isDone ? 0 : 1])]);

function fileItem({ channel, startMs, endMs, sizeBytes }: RecordedFile, hours: number): Buffer {
  const times = [bcdTime(startMs, hours), bcdTime(endMs, hours)];
  const rest = Buffer.alloc(15);
  rest.set([2, 1, 1], 8);
  rest.writeUInt32BE(sizeBytes, 11);
  return Buffer.concat([Buffer.from([channel]), ...times, rest]);
}

/** A time in half bytes; undefined when all are 0. */
function readTime(bytes: Buffer, clockHours: number): number | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined;
  const [year = 0, month = 0, ...rest] = [...bytes].map((byte) => Number(byte.toString(16)));
  const [day = 0, hour = 0, minute = 0, second = 0] = rest;
  return Date.UTC(2000 + year, month - 1, day, hour, minute, second) - clockHours * HOUR_MS;
}
