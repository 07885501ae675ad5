// Puts split messages together. The parts of one have the same id and total, and serials that follow each other: so those of
// two messages are never mixed. What is kept of unfinished ones is limited in number, bytes and time.
import { inOwnMemory } from '../../core/own-memory.ts';
import { RESULT } from './codes.ts';
import type { Message } from './messages.ts';

/** Parts of a message, about 128 KiB. */
const MOST_PARTS = 128;
/** Unfinished messages of a connection; the one that began first is dropped, and its terminal sends it again. */
const MOST_UNFINISHED = 8;
/** How long an unfinished message is kept after its last new part, ms. */
const KEEP_MS = 60_000;
/** How often the missing parts of a message are asked for. */
const MOST_REQUESTS = 3;
/** Bytes of unfinished messages in a process, and what a part takes beside its own. */
const MOST_BYTES = 64 * 2 ** 20;
const PART_BYTES = 200;
const SERIALS = 0x10000;

/** The outcome of a part. */
export type Part =
  /** It is kept; or there is no room for it: its terminal sends it again. */
  | { readonly kind: 'waits' }
  /** Others are missing, and should be asked for by the serial of the first part. */
  | { readonly kind: 'missing'; readonly firstSerial: number; readonly indexes: readonly number[] }
  /** It was the last one: the whole message, and the serials of its parts, each of which is answered. */
  | { readonly kind: 'whole'; readonly message: Message; readonly serials: readonly number[] }
  /** There is no such part, or the message has too many: the result of the part. */
  | { readonly kind: 'refused'; readonly result: number };

/** The room of a process for unfinished messages. */
export interface SplitRoom {
  /** @returns false when there is no more */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Makes the room of one process. */
export function createSplitRoom(mostBytes = MOST_BYTES): SplitRoom {
  let used = 0;
  return {
    take: (bytes) => {
      if (used + bytes > mostBytes) return false;
      used += bytes;
      return true;
    },
    give: (bytes) => {
      used -= bytes;
    },
  };
}

export interface SplitMessages {
  /** Takes a part. @param message with a split */
  add(message: Message): Part;
  /** Forgets all. */
  clear(): void;
}

interface Unfinished {
  readonly parts: Map<number, Buffer>;
  bytes: number;
  requests: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Makes what puts together the messages of one connection.
 * @param keepMs tests wait for less
 */
export function createSplitMessages(room: SplitRoom, keepMs = KEEP_MS): SplitMessages {
  /** The one that began first is the first. */
  const all = new Map<string, Unfinished>();

  function drop(key: string): void {
    const found = all.get(key);
    if (found === undefined) return;
    clearTimeout(found.timer);
    room.give(found.bytes);
    all.delete(key);
  }

  function begin(key: string): Unfinished {
    const [oldest] = all.keys();
    if (all.size >= MOST_UNFINISHED && oldest !== undefined) drop(oldest);
    const unfinished: Unfinished = { parts: new Map(), bytes: 0, requests: 0, timer: undefined };
    all.set(key, unfinished);
    return unfinished;
  }

  function addPart(key: string, index: number, body: Buffer): Unfinished | undefined {
    let unfinished = all.get(key) ?? begin(key);
    const before = unfinished.parts.get(index);
    if (before?.equals(body)) return unfinished;
    if (before !== undefined) {
      // Its serials have begun anew: this is of another message.
      drop(key);
      unfinished = begin(key);
    }
    const bytes = body.length + PART_BYTES;
    if (!room.take(bytes)) {
      if (unfinished.parts.size === 0) drop(key);
      return undefined;
    }
    unfinished.bytes += bytes;
    unfinished.parts.set(index, inOwnMemory(body));
    clearTimeout(unfinished.timer);
    unfinished.timer = setTimeout(() => drop(key), keepMs);
    return unfinished;
  }

  return {
    add: (message) => {
      const { total, index } = message.split ?? { total: 0, index: 0 };
      if (index < 1 || index > total) return { kind: 'refused', result: RESULT.wrong };
      if (total > MOST_PARTS) return { kind: 'refused', result: RESULT.notSupported };
      const firstSerial = (message.serial - (index - 1) + SERIALS) % SERIALS;
      const key = `${message.terminal} ${message.id} ${total} ${firstSerial}`;
      const isRepeated = all.get(key)?.parts.get(index)?.equals(message.body) ?? false;
      const unfinished = addPart(key, index, message.body);
      if (unfinished === undefined) return { kind: 'waits' };
      const indexes = [...Array(total).keys()].map((n) => n + 1);
      const { parts } = unfinished;
      if (parts.size < total) {
        // Parts come in order: after the last one none is on its way, and one that comes again waits for an answer.
        const isAsked = (isRepeated || index === total) && unfinished.requests < MOST_REQUESTS;
        if (!isAsked) return { kind: 'waits' };
        unfinished.requests += 1;
        return { kind: 'missing', firstSerial, indexes: indexes.filter((n) => !parts.has(n)) };
      }
      const body = Buffer.concat(indexes.flatMap((n) => parts.get(n) ?? []));
      drop(key);
      const serials = indexes.map((n) => (firstSerial + n - 1) % SERIALS);
      return { kind: 'whole', message: { ...message, body, split: null }, serials };
    },
    clear: () => {
      for (const key of [...all.keys()]) drop(key);
    },
  };
}
