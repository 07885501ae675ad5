// One connection to an upstream: packets go out, each until it is answered; what the upstream asks is confirmed.
import { connect, type Socket } from 'node:net';
import { PACKET, RESULT, SERVICE, SUBRECORD } from '../ingest/egts/codes.ts';
import { type DataRecord, readRecords, readSubrecords } from '../ingest/egts/data-records.ts';
import { createPacketReader, type ReadPacket } from '../ingest/egts/packets.ts';
import { createPacketWriter, type OutPacket, type OutRecord } from './packets.ts';
import type { Fault } from './settle.ts';

/** The packet or record is being worked on: its result comes later. */
const IN_PROGRESS = 1;
/** After this silence TCP asks whether the other side is still there, ms. */
const KEEP_ALIVE_MS = 60_000;
/** A packet is sent this often before the connection is closed. */
const ATTEMPTS = 3;
/** Most records of a packet of an upstream, so that their confirmation has room in one. */
const MOST_ASKED = 1000;
/** An upstream that closes so many connections while results of records are waited for tells none. */
const MOST_CUTS = 2;
/** Record numbers that are remembered whose packets ended without results. */
const MOST_UNHEARD = 1024;
/** Most bytes that an upstream leaves unread. */
const MOST_UNREAD_BYTES = 2 ** 20;

/** Times of a connection, ms. */
export interface LinkTimes {
  /** How long it may take to connect. */
  readonly connectMs: number;
  /** How long an answer is waited for before the packet is sent again. */
  readonly answerMs: number;
}

/** The answer to a packet: the result of each record in order. */
export interface PacketAnswer {
  /** The result of the packet as a whole. */
  readonly result: number;
  readonly records: readonly number[];
}

/** How an upstream tells the results of records, as it is learned over its connections. */
export interface ResultManner {
  /** Whether they come in packets of their own after the answer to a packet; undefined: not known yet. */
  comeApart: boolean | undefined;
  /** How often it has closed a connection while they were waited for. */
  cuts: number;
}

export interface UpstreamLink {
  /** Whether the upstream was reached. */
  readonly opened: Promise<boolean>;
  /** Whether it takes records: neither side has begun to close it. */
  isOpen(): boolean;
  /** Sends records in one packet. @throws LinkClosed when the connection ends before it is answered */
  send(records: readonly OutRecord[]): Promise<PacketAnswer>;
  /** The result that the upstream says of a sign-in; undefined: it has said none in this time. */
  signInResult(withinMs: number): Promise<number | undefined>;
  /** Resolves when the connection is closed; undefined: by ourselves. */
  readonly closed: Promise<Fault | undefined>;
  close(): void;
}

/** The connection has ended before a packet was answered; `closed` says why. */
export class LinkClosed extends Error {
  constructor() {
    super('the connection is closed');
  }
}

interface Pending {
  readonly packet: OutPacket;
  /** The result of a sign-in may be a subrecord of its own: `signInResult` waits for it. */
  readonly isSignIn: boolean;
  /** The packet was answered without results of records, which may still come. */
  isWaiting: boolean;
  /** The results of the packet and of its records by number, as far as they are known. */
  result: number | undefined;
  readonly results: Map<number, number>;
  readonly answer: PromiseWithResolvers<PacketAnswer>;
  attempts: number;
  timer: NodeJS.Timeout | undefined;
}

/** Why a connection was not had or broke, by the error's code. */
const FAULTS: Readonly<Record<string, Fault['fault']>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
};

/**
 * Connects to an upstream. The link is closed already when that fails.
 * @param manner of the upstream, which the link adds to
 * @param maySend is asked before each packet; the link closes when it may not
 */
export function openUpstreamLink(
  { host, port }: { readonly host: string; readonly port: number },
  times: LinkTimes,
  manner: ResultManner,
  maySend: () => boolean = () => true,
): UpstreamLink {
  const socket = connect({
    ...{ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
  });
  const reader = createPacketReader();
  const writer = createPacketWriter();
  const pending = new Map<number, Pending>();
  const unheard = new Set<number>();
  const opened = Promise.withResolvers<boolean>();
  const signIn = Promise.withResolvers<number>();
  const closed = Promise.withResolvers<Fault | undefined>();
  let fault: Fault | undefined = { fault: 'unreachable' };

  const end = (because: Fault | undefined): void => {
    fault = because;
    socket.destroy();
  };
  socket.setTimeout(times.connectMs, () => end({ fault: 'unreachable' }));
  socket.on('connect', () => {
    socket.setTimeout(0);
    fault = { fault: 'closed' };
    opened.resolve(true);
  });
  socket.on('error', (error) => {
    const code = 'code' in error ? String(error.code) : '';
    const known = FAULTS[code];
    if (known !== undefined) fault = { fault: known };
  });
  socket.on('close', () => {
    const isCut = fault !== undefined && [...pending.values()].some((one) => one.isWaiting);
    if (isCut && manner.comeApart === undefined) noteCut();
    for (const { timer, answer } of pending.values()) {
      clearTimeout(timer);
      answer.reject(new LinkClosed());
    }
    pending.clear();
    opened.resolve(false);
    closed.resolve(fault);
  });
  socket.on('data', (bytes: Buffer) => {
    reader.push(bytes);
    for (let read = reader.next(); read !== undefined; read = reader.next()) {
      take(read);
      if (socket.destroyed) return;
    }
    if (reader.isLost()) end({ fault: 'garbled' });
  });

  function take({ id, type, result, data }: ReadPacket): void {
    // A damaged answer: the packet is sent again.
    if (result !== RESULT.ok) return;
    if (type === PACKET.response) {
      if (data.length < 3) return;
      const one = pending.get(data.readUInt16LE(0));
      if (one !== undefined) one.result = data[2];
      takeRecords(readRecords(data.subarray(3)).records);
    } else {
      const { records } = readRecords(data);
      if (records.length > MOST_ASKED) {
        end({ fault: 'garbled' });
        return;
      }
      takeRecords(records);
      write(socket, writer.confirmation(id, RESULT.ok, records));
      if (socket.writableLength > MOST_UNREAD_BYTES) end({ fault: 'no_answer' });
    }
    for (const one of pending.values()) {
      if (isAnswered(one)) finish(one);
      else if (lacksResults(one)) waitForResults(one);
    }
  }

  function takeRecords(records: readonly DataRecord[]): void {
    for (const { type, data } of records.flatMap((one) => readSubrecords(one.data) ?? [])) {
      if (type === SUBRECORD.resultCode && data.length > 0) signIn.resolve(data[0] ?? 0);
      if (type !== SUBRECORD.recordResponse || data.length < 3) continue;
      const number = data.readUInt16LE(0);
      // It was late.
      if (unheard.delete(number)) manner.comeApart = true;
      for (const { packet, results, isWaiting } of pending.values()) {
        if (!packet.numbers.includes(number)) continue;
        results.set(number, data[2] ?? 0);
        if (isWaiting) manner.comeApart = true;
      }
    }
  }

  // Some upstreams tell results of records in packets of their own, others tell none. Without any the packet is confirmed.
  function waitForResults(one: Pending): void {
    if (one.isWaiting) return;
    if (one.isSignIn || manner.comeApart === false) {
      finish(one);
      return;
    }
    one.isWaiting = true;
    clearTimeout(one.timer);
    one.timer = setTimeout(() => miss(one), times.answerMs);
  }

  // Nothing came in time. A packet that is answered in part is sent again.
  function miss(one: Pending): void {
    if (!lacksResults(one)) {
      transmit(one);
      return;
    }
    manner.comeApart ??= false;
    finish(one);
  }

  function noteCut(): void {
    manner.cuts += 1;
    if (manner.cuts >= MOST_CUTS) manner.comeApart = false;
  }

  function finish(one: Pending): void {
    const { packet, result = RESULT.ok, results, timer, answer } = one;
    if (lacksResults(one) && !one.isSignIn) remember(packet.numbers);
    pending.delete(packet.id);
    clearTimeout(timer);
    const records = packet.numbers.map((number) => results.get(number) ?? result);
    answer.resolve({ result, records });
  }

  function remember(numbers: readonly number[]): void {
    for (const number of numbers) unheard.add(number);
    for (const number of unheard) {
      if (unheard.size <= MOST_UNHEARD) return;
      unheard.delete(number);
    }
  }

  function transmit(one: Pending): void {
    if (!maySend()) {
      end(undefined);
      return;
    }
    if (one.attempts >= ATTEMPTS) {
      end({ fault: 'no_answer' });
      return;
    }
    one.attempts += 1;
    write(socket, one.packet.bytes);
    one.timer = setTimeout(() => miss(one), times.answerMs);
  }

  return {
    opened: opened.promise,
    closed: closed.promise,
    isOpen: () => socket.writable,
    close: () => {
      if (!socket.destroyed) end(undefined);
    },
    signInResult: async (withinMs) => {
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => late.resolve(undefined), withinMs);
      try {
        return await Promise.race([
          signIn.promise,
          late.promise,
          closed.promise.then(() => undefined),
        ]);
      } finally {
        clearTimeout(timer);
      }
    },
    send: (records) => {
      const packet = writer.data(records);
      const answer = Promise.withResolvers<PacketAnswer>();
      const one: Pending = {
        ...{ packet, result: undefined, results: new Map(), answer, attempts: 0 },
        ...{ isWaiting: false, timer: undefined },
        isSignIn: records.some(({ service }) => service === SERVICE.auth),
      };
      if (socket.destroyed) answer.reject(new LinkClosed());
      else {
        pending.set(packet.id, one);
        transmit(one);
      }
      return answer.promise;
    },
  };
}

// The result of a packet that is refused is that of its records. One that is missing among others is waited for.
function isAnswered({ packet, result, results }: Pending): boolean {
  if (result === undefined || result === IN_PROGRESS) return false;
  if (result !== RESULT.ok) return true;
  return packet.numbers.every((number) => (results.get(number) ?? IN_PROGRESS) !== IN_PROGRESS);
}

/** Whether a packet was taken without a word about its records. */
function lacksResults({ result, results }: Pending): boolean {
  return result === RESULT.ok && results.size === 0;
}

function write(socket: Socket, bytes: Buffer): void {
  if (!socket.destroyed) socket.write(bytes);
}
