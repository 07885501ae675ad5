// Puts split messages together. The parts of one have the same id and total, and serials that follow each other: so those of
// two messages are never mixed. What is kept of unfinished ones is limited in number, bytes and time: no terminal has more
// than its share of the room of all, nor has a connection, through which a platform passes many terminals.
import { inOwnMemory } from '../../core/own-memory.ts';
import { RESULT, SERIALS } from './codes.ts';
import type { Message } from './messages.ts';

/** Parts of a message, about 128 KiB. */
const MOST_PARTS = 128;
/** Unfinished messages of a terminal; the one that began first is dropped, and the terminal sends it again. */
const MOST_UNFINISHED = 8;
/** How long an unfinished message is kept after its last new part, ms. */
const KEEP_MS = 60_000;
/** How often the missing parts of a message are asked for. */
const MOST_REQUESTS = 3;
/** Bytes of a part, what it takes beside them, and what its message takes. */
const MOST_PART_BYTES = 1023;
const PART_BYTES = 200;
const MESSAGE_BYTES = 1000;
const LIMITS: SplitLimits = {
  mostBytes: 64 * 2 ** 20,
  ofConnection: 16 * 2 ** 20,
  ofTerminal: 2 * 2 ** 20,
  ofMessage: MOST_PARTS * (MOST_PART_BYTES + PART_BYTES) + MESSAGE_BYTES,
};

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

/** An unfinished message in the room of a process. */
export interface SplitPlace {
  /** Gives the message up. */
  readonly drop: () => void;
  bytes: number;
}

/** The limits of a room, bytes. */
export interface SplitLimits {
  readonly mostBytes: number;
  readonly ofConnection: number;
  /** In all its connections. */
  readonly ofTerminal: number;
  /** A terminal that has no more than this, one long message, gives no place to others: else none would ever be whole. */
  readonly ofMessage: number;
}

/**
 * The room of a process for unfinished messages. When a terminal's share, or the room, is full, the oldest message of that
 * terminal, or of the one that has most, gives place.
 */
export interface SplitRoom {
  /** Takes room for a part of a message. @returns false when nobody can give place */
  take(terminal: string, place: SplitPlace, bytes: number): boolean;
  /** Gives back all that a message has. */
  leave(terminal: string, place: SplitPlace): void;
}

/** A terminal's messages, of all its connections, the oldest first. */
interface Share {
  readonly places: Set<SplitPlace>;
  bytes: number;
}

/** Makes the room of one process. @param limits tests have less */
export function createSplitRoom(limits: Partial<SplitLimits> = {}): SplitRoom {
  const { mostBytes, ofTerminal, ofMessage } = { ...LIMITS, ...limits };
  const shares = new Map<string, Share>();
  let used = 0;

  // The terminal that has most; undefined: none has more than a message.
  function greediest(): Share | undefined {
    let most: Share | undefined;
    for (const share of shares.values()) {
      if (share.bytes > (most?.bytes ?? ofMessage)) most = share;
    }
    return most;
  }

  // The oldest message that is not the one which needs the place.
  function dropOldest(share: Share | undefined, own: SplitPlace): boolean {
    for (const place of share?.places ?? []) {
      if (place === own) continue;
      place.drop();
      return true;
    }
    return false;
  }

  return {
    take: (terminal, place, bytes) => {
      const shareOf = (): Share | undefined => shares.get(terminal);
      while ((shareOf()?.bytes ?? 0) + bytes > ofTerminal) {
        if (!dropOldest(shareOf(), place)) return false;
      }
      while (used + bytes > mostBytes) {
        if (!dropOldest(greediest(), place)) return false;
      }
      const share = shareOf() ?? { places: new Set(), bytes: 0 };
      shares.set(terminal, share);
      share.places.add(place);
      share.bytes += bytes;
      place.bytes += bytes;
      used += bytes;
      return true;
    },
    leave: (terminal, place) => {
      const share = shares.get(terminal);
      if (share === undefined || !share.places.delete(place)) return;
      share.bytes -= place.bytes;
      used -= place.bytes;
      place.bytes = 0;
      if (share.places.size === 0) shares.delete(terminal);
    },
  };
}

export interface SplitMessages {
  /** Takes a part. @param message with a split */
  add(message: Message): Part;
  /** Forgets all. */
  clear(): void;
}

interface Unfinished extends SplitPlace {
  readonly parts: Map<number, Buffer>;
  requests: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Makes what puts together the messages of one connection.
 * @param keepMs tests wait for less
 * @param limits tests have less
 */
export function createSplitMessages(
  room: SplitRoom,
  keepMs = KEEP_MS,
  { ofConnection, ofMessage }: Pick<SplitLimits, 'ofConnection' | 'ofMessage'> = LIMITS,
): SplitMessages {
  /** By terminal; of each, the one that began first is the first. */
  const all = new Map<string, Map<string, Unfinished>>();
  let used = 0;

  function drop(terminal: string, key: string): void {
    const own = all.get(terminal);
    const found = own?.get(key);
    if (own === undefined || found === undefined) return;
    clearTimeout(found.timer);
    used -= found.bytes;
    room.leave(terminal, found);
    own.delete(key);
    if (own.size === 0) all.delete(terminal);
  }

  function begin(terminal: string, key: string): Unfinished {
    const [oldest] = all.get(terminal)?.values() ?? [];
    if ((all.get(terminal)?.size ?? 0) >= MOST_UNFINISHED) oldest?.drop();
    const unfinished: Unfinished = {
      ...{ parts: new Map(), bytes: 0, requests: 0, timer: undefined },
      drop: () => drop(terminal, key),
    };
    const own = all.get(terminal) ?? new Map<string, Unfinished>();
    all.set(terminal, own.set(key, unfinished));
    return unfinished;
  }

  function take(terminal: string, unfinished: Unfinished, bytes: number): boolean {
    while (used + bytes > ofConnection) {
      const oldest = greediest()?.find((one) => one !== unfinished);
      if (oldest === undefined) return false;
      oldest.drop();
    }
    if (!room.take(terminal, unfinished, bytes)) return false;
    used += bytes;
    return true;
  }

  // The messages of the terminal that has most; undefined: none has more than a message.
  function greediest(): Unfinished[] | undefined {
    let most: Unfinished[] | undefined;
    let mostBytes = ofMessage;
    for (const own of all.values()) {
      const some = [...own.values()];
      const bytes = some.reduce((sum, one) => sum + one.bytes, 0);
      if (bytes > mostBytes) [most, mostBytes] = [some, bytes];
    }
    return most;
  }

  function addPart(
    terminal: string,
    key: string,
    index: number,
    body: Buffer,
  ): Unfinished | undefined {
    let unfinished = all.get(terminal)?.get(key) ?? begin(terminal, key);
    const before = unfinished.parts.get(index);
    if (before?.equals(body)) return unfinished;
    if (before !== undefined) {
      // Its serials have begun anew: this is of another message.
      unfinished.drop();
      unfinished = begin(terminal, key);
    }
    const isNew = unfinished.parts.size === 0;
    const bytes = body.length + PART_BYTES + (isNew ? MESSAGE_BYTES : 0);
    if (!take(terminal, unfinished, bytes)) {
      if (isNew) unfinished.drop();
      return undefined;
    }
    unfinished.parts.set(index, inOwnMemory(body));
    clearTimeout(unfinished.timer);
    unfinished.timer = setTimeout(unfinished.drop, keepMs);
    return unfinished;
  }

  return {
    add: (message) => {
      const { total, index } = message.split ?? { total: 0, index: 0 };
      if (index < 1 || index > total) return { kind: 'refused', result: RESULT.wrong };
      if (total > MOST_PARTS) return { kind: 'refused', result: RESULT.notSupported };
      const firstSerial = (message.serial - (index - 1) + SERIALS) % SERIALS;
      const terminal = message.terminal ?? '';
      const key = `${message.id} ${total} ${firstSerial}`;
      const repeated = all.get(terminal)?.get(key)?.parts.get(index);
      const isRepeated = repeated?.equals(message.body) ?? false;
      const unfinished = addPart(terminal, key, index, message.body);
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
      unfinished.drop();
      const serials = indexes.map((n) => (firstSerial + n - 1) % SERIALS);
      return { kind: 'whole', message: { ...message, body, split: null }, serials };
    },
    clear: () => {
      for (const own of [...all.values()]) for (const one of [...own.values()]) one.drop();
    },
  };
}
