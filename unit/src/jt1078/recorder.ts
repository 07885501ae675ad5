// A recorder of JT/T 808 with cameras: it answers 0x9101 by connecting to the address in it and sending pictures, and 0x9102
// by ending that.
import { connect, type Socket } from 'node:net';
import { answerBody, JT808 } from '../jt808/bodies.ts';
import type { Jt808Terminal } from '../jt808/terminal.ts';
import type { Timers } from '../uplink/timers.ts';
import type { CodedPicture } from './elementary-stream.ts';
import { type Jt1078Camera, jt1078Packets } from './packet.ts';

const START = 0x9101;
const CONTROL = 0x9102;
const OK = 0;
const NOT_SUPPORTED = 3;

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

export interface RecorderOptions extends Omit<Jt1078Camera, 'channel'> {
  /** One round of pictures, which is repeated. */
  readonly pictures: readonly CodedPicture[];
  /** ms between two of them. */
  readonly stepMs: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** The answer to a request; 0 unless given, and undefined: none. */
  readonly answerTo?: (request: LiveRequest) => number | undefined;
  /** Sends sound, too. */
  readonly hasSound?: boolean;
}

export interface Recorder {
  /** Requests so far. */
  readonly requests: readonly LiveRequest[];
  /** The channels that are sent now. */
  running(): number[];
  /** Resolves when the terminal's connection is closed. */
  readonly ended: Promise<void>;
}

/** Lets a terminal that has signed in serve live video, until its connection closes. */
export function serveLive(terminal: Jt808Terminal, options: RecorderOptions): Recorder {
  const requests: LiveRequest[] = [];
  const running = new Map<number, Socket>();
  const say = (serial: number, id: number, result: number): void =>
    void terminal.send(JT808.answer, answerBody(serial, id, result));

  function start(serial: number, body: Buffer): void {
    const request = readRequest(body);
    requests.push(request);
    const result = options.answerTo === undefined ? OK : options.answerTo(request);
    if (result !== undefined) say(serial, START, result);
    if (result !== OK) return;
    running.get(request.channel)?.destroy();
    const socket = connect({ port: request.port, host: request.host, noDelay: true });
    running.set(request.channel, socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (running.get(request.channel) === socket) running.delete(request.channel);
    });
    socket.on('connect', () => void sendPictures(socket, options, request.channel));
  }

  async function serve(): Promise<void> {
    for (;;) {
      const message = await terminal.link.next().catch(() => undefined);
      if (message === undefined) break;
      if (message.kind !== 'message') continue;
      if (message.id === START) start(message.serial, message.body);
      else if (message.id === CONTROL) {
        running.get(message.body[0] ?? 0)?.destroy();
        say(message.serial, CONTROL, OK);
      } else say(message.serial, message.id, NOT_SUPPORTED);
    }
    for (const socket of running.values()) socket.destroy();
  }

  return { requests, running: () => [...running.keys()], ended: serve() };
}

function readRequest(body: Buffer): LiveRequest {
  const end = 1 + (body[0] ?? 0);
  const [channel = 0, kind = 0, stream = 0] = body.subarray(end + 4);
  const host = body.toString('latin1', 1, end);
  return { host, port: body.readUInt16BE(end), channel, kind, stream };
}

async function sendPictures(
  socket: Socket,
  options: RecorderOptions,
  channel: number,
): Promise<void> {
  const { pictures, stepMs, timers, signal, hasSound = false } = options;
  const camera = { ...options, channel };
  const startMs = timers.nowMs();
  let serial = 0;
  for (let n = 0; !socket.destroyed && !signal.aborted; n += 1) {
    const picture = pictures[n % pictures.length];
    if (picture === undefined) return;
    const timeMs = n * stepMs;
    const kind = picture.isKey ? 'key' : 'predicted';
    const frames = [{ kind, timeMs, bytes: picture.bytes } as const];
    const sound = { kind: 'audio', timeMs, bytes: Buffer.alloc(160, 0xd5) } as const;
    for (const frame of hasSound ? [...frames, sound] : frames) {
      const packets = jt1078Packets(camera, frame, serial);
      serial += packets.length;
      socket.write(Buffer.concat(packets));
    }
    await timers.sleep(Math.max(0, startMs + (n + 1) * stepMs - timers.nowMs()), signal);
  }
}
