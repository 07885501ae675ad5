import type { UnitRecord } from '@ridewatch/contract/unit';

/** Records that wait to be stored by the server. A bus keeps them on disk: what is in it survives a cut of power. */
export interface Outbox {
  /** Takes numbered records in; a number that already waits is not taken twice. */
  add(stream: string, records: readonly UnitRecord[]): void;
  /** The records to send next, the oldest stream first, at most `limit`; undefined when nothing waits. */
  peek(limit: number): { stream: string; records: UnitRecord[] } | undefined;
  /** Forgets what the server answered for: numbers that it stored or will never take. */
  settle(stream: string, ranges: readonly (readonly [first: number, last: number])[]): void;
  readonly size: number;
}

/**
 * An outbox in memory, for units whose world can be made again. A real unit writes `add` to its disk before
 * it counts on, and `settle` when it is done: whatever is lost in between is sent twice, which does no harm.
 */
export function createMemoryOutbox(): Outbox {
  const streams = new Map<string, Map<number, UnitRecord>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add: (stream, records) => {
      const waiting = streams.get(stream) ?? new Map<number, UnitRecord>();
      streams.set(stream, waiting);
      const before = waiting.size;
      for (const record of records) {
        if (!waiting.has(record.seq)) waiting.set(record.seq, record);
      }
      size += waiting.size - before;
    },
    peek: (limit) => {
      for (const [stream, waiting] of streams) {
        if (waiting.size > 0) return { stream, records: firstOf(waiting.values(), limit) };
      }
      return undefined;
    },
    settle: (stream, ranges) => {
      const waiting = streams.get(stream);
      if (waiting === undefined) return;
      const before = waiting.size;
      for (const [first, last] of ranges) {
        // A range may be far longer than what waits here.
        if (last - first < waiting.size) {
          for (let seq = first; seq <= last; seq++) waiting.delete(seq);
        } else {
          for (const seq of waiting.keys()) if (seq >= first && seq <= last) waiting.delete(seq);
        }
      }
      size -= before - waiting.size;
      if (waiting.size === 0) streams.delete(stream);
    },
  };
}

function firstOf<T>(values: Iterable<T>, limit: number): T[] {
  const found: T[] = [];
  for (const value of values) {
    if (found.length >= limit) break;
    found.push(value);
  }
  return found;
}
