// A unit of EGTS that sends packets and keeps each until it is confirmed: after five seconds without an answer it sends
// it again, three times, then on a new connection. As cheap as can be, because it shares the machine with the server.
import { connect, type Socket } from 'node:net';

/** A unit waits so long for an answer, ms. */
const ANSWER_MS = 5000;
/** After so many times it gives the connection up (GOST 33472-2015: three). */
const MOST_TRIES = 3;
/** Until it connects again, ms; the standard has 30 s, which would be all of a short bench. */
const CONNECT_AGAIN_MS = 5000;
const HEADER_BYTES = 11;
/** The id of the packet that signs in; no other has it. */
const SIGN_IN_ID = 0xffff;
const NONE = Buffer.alloc(0);

export interface SenderLoad {
  readonly port: number;
  readonly signIn: Buffer;
  /** Its packets, by id. */
  readonly frames: readonly Buffer[];
  /** Packets without an answer at one time. */
  readonly window: number;
  /** Called once for each packet, with the time since it should have been sent, ms. */
  readonly onConfirmed: (ms: number) => void;
  readonly onFailure: (what: string) => void;
}

export interface Sender {
  /** Resolves when it has signed in. */
  readonly ready: Promise<void>;
  /** Lets it send so many packets in all. @param nowMs performance.now(), from when on they wait */
  allow(frames: number, nowMs: number): void;
  /** Sends again what has waited too long for its answer. */
  look(nowMs: number): void;
  confirmed(): number;
  resent(): number;
  close(): void;
}

/** Opens a unit's connection. */
export function openSender(load: SenderLoad): Sender {
  const { frames, window, onConfirmed, onFailure } = load;
  const isConfirmed = new Uint8Array(frames.length);
  const dueMs = new Float64Array(frames.length);
  const sentMs = new Float64Array(frames.length);
  const tries = new Uint8Array(frames.length);
  const ready = Promise.withResolvers<void>();
  let [allowed, next, oldest, confirmed, resent] = [0, 0, 0, 0, 0];
  let isSignedIn = false;
  let isClosed = false;
  let left: Buffer = NONE;
  let socket = open();

  function open(): Socket {
    const opened = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    isSignedIn = false;
    left = NONE;
    opened.on('connect', () => opened.write(load.signIn));
    opened.on('data', read);
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (isClosed) return;
      setTimeout(() => {
        if (isClosed) return;
        socket = open();
      }, CONNECT_AGAIN_MS);
    });
    return opened;
  }

  function read(bytes: Buffer): void {
    left = left.length === 0 ? bytes : Buffer.concat([left, bytes]);
    let at = 0;
    while (left.length - at >= HEADER_BYTES) {
      const dataBytes = left.readUInt16LE(at + 5);
      const end = at + HEADER_BYTES + dataBytes + (dataBytes === 0 ? 0 : 2);
      if (left.length < end) break;
      take(left, at, dataBytes);
      at = end;
    }
    left = at === left.length ? NONE : left.subarray(at);
    fill(performance.now());
  }

  // A confirmation names the packet in its data; an echo has its id.
  function take(bytes: Buffer, at: number, dataBytes: number): void {
    const data = at + HEADER_BYTES;
    const isResponse = bytes[at + 9] === 0;
    const id = isResponse ? bytes.readUInt16LE(data) : bytes.readUInt16LE(at + 7);
    if (!isResponse && bytes[data + 5] === 1 && bytes[data + 7] === 9) return;
    if (isResponse && !isGood(bytes, data, data + dataBytes)) onFailure(`packet ${id} was refused`);
    if (id === SIGN_IN_ID) {
      isSignedIn = true;
      ready.resolve();
      resendAll();
      return;
    }
    if (isConfirmed[id] !== 0) return;
    isConfirmed[id] = 1;
    confirmed += 1;
    onConfirmed(performance.now() - (dueMs[id] ?? 0));
    while (isConfirmed[oldest] === 1) oldest += 1;
  }

  function fill(nowMs: number): void {
    if (!isSignedIn) return;
    let bytes: Buffer[] | undefined;
    while (next < allowed && next - confirmed < window) {
      sentMs[next] = nowMs;
      bytes ??= [];
      bytes.push(frames[next] ?? NONE);
      next += 1;
    }
    if (bytes !== undefined)
      socket.write(bytes.length === 1 ? (bytes[0] ?? NONE) : Buffer.concat(bytes));
  }

  function resendAll(): void {
    const nowMs = performance.now();
    tries.fill(0, oldest, next);
    for (let id = oldest; id < next; id += 1) resend(id, nowMs);
  }

  function resend(id: number, nowMs: number): void {
    if (isConfirmed[id] === 1) return;
    sentMs[id] = nowMs;
    resent += 1;
    socket.write(frames[id] ?? NONE);
  }

  return {
    ready: ready.promise,
    allow: (count, nowMs) => {
      const most = Math.min(count, frames.length);
      for (; allowed < most; allowed += 1) dueMs[allowed] = nowMs;
      fill(nowMs);
    },
    look: (nowMs) => {
      // Bytes that the socket could not pass on have not been sent yet.
      if (!isSignedIn || socket.writableNeedDrain) return;
      for (let id = oldest; id < next; id += 1) {
        if (isConfirmed[id] === 1 || nowMs - (sentMs[id] ?? nowMs) <= ANSWER_MS) continue;
        if ((tries[id] ?? 0) >= MOST_TRIES) {
          socket.destroy();
          return;
        }
        resend(id, nowMs);
        tries[id] = (tries[id] ?? 0) + 1;
      }
    },
    confirmed: () => confirmed,
    resent: () => resent,
    close: () => {
      isClosed = true;
      socket.destroy();
    },
  };
}

// Every record of it has the result 0.
function isGood(bytes: Buffer, data: number, end: number): boolean {
  if (bytes[data + 2] !== 0) return false;
  for (let at = data + 3; at < end; ) {
    const next = at + 7 + bytes.readUInt16LE(at);
    for (let sub = at + 7; sub < next; sub += 6) if (bytes[sub + 5] !== 0) return false;
    at = next;
  }
  return true;
}
