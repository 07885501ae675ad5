// A registrar of JT/T 808 over a real socket, as a test wants it: it lists files, uploads them by FTP and says how that
// ended.
import type { Jt808Answer } from '@ridewatch/unit/src/jt808/answer.ts';
import { answerBody, bcdTime, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { u16 } from '@ridewatch/unit/src/jt808/message.ts';
import type { Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { expect, vi } from 'vitest';
import { connectFtp, type FtpClient } from './ftp.ts';

/** The moment at which the recordings of these tests begin, ms since 1970 UTC. */
export const RECORDED_MS = Date.UTC(2026, 10, 20, 6);
/** Longest wait of a test, ms. */
export const WAIT = { timeout: 10_000, interval: 10 };
const IDS = { list: 0x9205, upload: 0x9206, control: 0x9207 } as const;

/** A file of a list. Times in minutes after RECORDED_MS. */
export interface TestFile {
  readonly channel?: number;
  readonly from: number;
  readonly to: number;
  readonly media?: number;
  readonly stream?: number;
  readonly storage?: number;
  readonly size?: number;
}

/** Two files of the first door. */
export const FILES: readonly TestFile[] = [
  { from: 0, to: 10 },
  { from: 10, to: 20 },
];
/** The same, each of the length of a file. */
export const filesOf = ({ length: size }: Buffer): TestFile[] =>
  FILES.map((file) => ({ ...file, size }));

/** An item of message 0x1205. */
export function itemOf(
  { channel = 1, from, to, media = 0, stream = 1, storage = 1, size = 0 }: TestFile,
  clockHours = 8,
): Buffer {
  const [start, end] = [from, to].map((minute) => RECORDED_MS + minute * 60_000);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size, 0);
  return Buffer.concat([
    ...[Buffer.from([channel]), bcdTime(start ?? 0, clockHours), bcdTime(end ?? 0, clockHours)],
    ...[Buffer.alloc(8), Buffer.from([media, stream, storage]), bytes],
  ]);
}

/** The body of message 0x1205. */
export function listBodyOf(serial: number, files: readonly TestFile[], clockHours = 8): Buffer {
  const items = files.map((file) => itemOf(file, clockHours));
  return Buffer.concat([u16(serial, 0, items.length), ...items]);
}

type Message = Extract<Jt808Answer, { kind: 'message' }>;

/** Content of message 0x9206. */
export interface AskedUpload {
  readonly serial: number;
  readonly host: string;
  readonly port: number;
  readonly login: string;
  readonly password: string;
  readonly path: string;
  readonly channel: number;
  /** Minutes after RECORDED_MS. */
  readonly from: number;
  readonly to: number;
  readonly media: number;
  readonly stream: number;
  readonly storage: number;
  readonly links: number;
}

function readUpload({ serial, body }: Message, clockHours: number): AskedUpload {
  let at = 0;
  const text = (): string => {
    const end = at + 1 + (body[at] ?? 0);
    const read = body.toString('latin1', at + 1, end);
    at = end;
    return read;
  };
  const host = text();
  const port = body.readUInt16BE(at);
  at += 2;
  const [login, password, path] = [text(), text(), text()];
  const rest = body.subarray(at);
  expect(rest).toHaveLength(25);
  const [media = 0, stream = 0, storage = 0, links = 0] = rest.subarray(21);
  return {
    ...{ serial, host, port, login, password, path, channel: rest[0] ?? 0 },
    ...{ from: minuteAt(rest, 1, clockHours), to: minuteAt(rest, 7, clockHours) },
    ...{ media, stream, storage, links },
  };
}

function minuteAt(body: Buffer, place: number, clockHours: number): number {
  const [year = '', ...parts] = body.toString('hex', place, place + 6).match(/../g) ?? [];
  const [month, day, hour, minute, second] = parts;
  const local = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return (local - clockHours * 3_600_000 - RECORDED_MS) / 60_000;
}

/** A terminal with a disk. */
export interface TestRegistrar {
  readonly terminal: Jt808Terminal;
  /** The channels whose files were asked for. */
  readonly queries: readonly number[];
  /** The times of these queries, minutes after RECORDED_MS. */
  readonly periods: readonly (readonly [from: number, to: number])[];
  /** The next upload that is asked for, in order. */
  nextUpload(): Promise<AskedUpload>;
  /** How many were asked for and not taken by `nextUpload`. */
  waiting(): number;
  /** The serials of cancelled uploads. */
  readonly cancelled: readonly number[];
  /** Uploads bytes. @returns the last answer of FTP */
  send(upload: AskedUpload, bytes: Buffer): Promise<string>;
  /** Says how an upload ended. @param result 0: it is whole */
  end(upload: Pick<AskedUpload, 'serial'>, result?: number): void;
}

/** Manner of a registrar unless a test says otherwise. */
export interface Manner {
  readonly files?: readonly TestFile[];
  /** The answer to a query; undefined: the list of `files` of its channel. */
  readonly answerQuery?: (message: Message, terminal: Jt808Terminal) => void;
  /** The general answer to an upload; undefined: none. */
  readonly answerUpload?: () => number | undefined;
  readonly clockHours?: number;
}

/** Lets a terminal that has signed in be a registrar. @param clients get the connections of FTP that it opens */
export function serveRecordings(
  terminal: Jt808Terminal,
  manner: Manner,
  clients: FtpClient[],
): TestRegistrar {
  const { files = [], clockHours = 8, answerUpload = () => 0 } = manner;
  const [queries, cancelled]: [number[], number[]] = [[], []];
  const periods: [number, number][] = [];
  const asked: AskedUpload[] = [];
  const say = ({ serial, id }: Message, result: number): void =>
    void terminal.send(JT808.answer, answerBody(serial, id, result));
  const answerQuery =
    manner.answerQuery ??
    (({ serial, body }: Message) => {
      const own = files.filter(({ channel = 1 }) => channel === body[0]);
      terminal.send(0x1205, listBodyOf(serial, own, clockHours));
    });
  const hear = (message: Message): void => {
    if (message.id === IDS.list) {
      queries.push(message.body[0] ?? 0);
      periods.push([minuteAt(message.body, 1, clockHours), minuteAt(message.body, 7, clockHours)]);
      answerQuery(message, terminal);
    } else if (message.id === IDS.upload) {
      const result = answerUpload();
      asked.push(readUpload(message, clockHours));
      if (result !== undefined) say(message, result);
    } else if (message.id === IDS.control) {
      expect(message.body[2]).toBe(2);
      cancelled.push(message.body.readUInt16BE(0));
      say(message, 0);
    }
  };
  void (async () => {
    for (;;) {
      const message = await terminal.link.next().catch(() => undefined);
      if (message === undefined) return;
      if (message.kind === 'message') hear(message);
    }
  })();
  return {
    ...{ terminal, queries, periods, cancelled, waiting: () => asked.length },
    nextUpload: async () => {
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), WAIT);
      const [next] = asked.splice(0, 1);
      if (next === undefined) throw new Error('no upload was asked for');
      return next;
    },
    send: async ({ host, port, login, password }, bytes) => {
      expect(host).toBe('127.0.0.1');
      const client = await connectFtp(port);
      clients.push(client);
      const said = await client.signIn({ login, password });
      return said.startsWith('230') ? client.send(bytes) : said;
    },
    end: ({ serial }, result = 0) => {
      terminal.send(0x1206, Buffer.concat([u16(serial), Buffer.from([result])]));
    },
  };
}
