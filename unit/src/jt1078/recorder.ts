// A recorder of JT/T 808 with cameras: it answers 0x9101 by connecting to the address in it and sending pictures, and 0x9102
// by ending that.
import { answerBody, JT808 } from '../jt808/bodies.ts';
import type { Jt808Terminal } from '../jt808/terminal.ts';
import type { Timers } from '../uplink/timers.ts';
import type { CodedPicture } from './elementary-stream.ts';
import { createLiveChannels, type LiveSource } from './live-channels.ts';
import { JT1078, type LiveRequest, readLiveRequest } from './messages.ts';
import type { Jt1078Camera } from './packet.ts';

const OK = 0;
const NOT_SUPPORTED = 3;

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
  const channels = createLiveChannels(options, roundOf(options));
  const say = (serial: number, id: number, result: number): void =>
    void terminal.send(JT808.answer, answerBody(serial, id, result));

  function start(serial: number, body: Buffer): void {
    const request = readLiveRequest(body);
    requests.push(request);
    const result = options.answerTo === undefined ? OK : options.answerTo(request);
    if (result !== undefined) say(serial, JT1078.startLive, result);
    if (result === OK) channels.start(request);
  }

  async function serve(): Promise<void> {
    for (;;) {
      const message = await terminal.link.next().catch(() => undefined);
      if (message === undefined) break;
      if (message.kind !== 'message') continue;
      if (message.id === JT1078.startLive) start(message.serial, message.body);
      else if (message.id === JT1078.controlLive) {
        channels.stop(message.body[0] ?? 0);
        say(message.serial, JT1078.controlLive, OK);
      } else say(message.serial, message.id, NOT_SUPPORTED);
    }
    await channels.close();
  }

  return { requests, running: channels.running, ended: serve() };
}

function roundOf({ pictures, stepMs, timers, hasSound, ...options }: RecorderOptions): LiveSource {
  return async (_request, onFrame, over) => {
    const signal = AbortSignal.any([options.signal, over]);
    const startMs = timers.nowMs();
    for (let n = 0; !signal.aborted; n += 1) {
      const picture = pictures[n % pictures.length];
      // A terminal without pictures keeps its connection.
      if (picture === undefined) return timers.sleep(DAY_MS, signal);
      const timeMs = n * stepMs;
      onFrame({ kind: picture.isKey ? 'key' : 'predicted', timeMs, bytes: picture.bytes });
      if (hasSound) onFrame({ kind: 'audio', timeMs, bytes: Buffer.alloc(160, 0xd5) });
      await timers.sleep(Math.max(0, startMs + (n + 1) * stepMs - timers.nowMs()), signal);
    }
  };
}

const DAY_MS = 86_400_000;
