import type { UnitRecord } from '@ridewatch/contract/unit';

/** Records that wait to be stored by the server. A bus keeps them on disk: what is in it survives a cut of power. */
export interface Outbox {
  /** Takes numbered records in; a number that already waits is not taken twice. */
  add(stream: string, records: readonly UnitRecord[]): void;
  /**
   * The records to send next, the oldest stream first, at most `limit`; undefined when nothing is due.
   * @param nowMs the unit's clock, ms since 1970 UTC
   */
  peek(limit: number, nowMs: number): { stream: string; records: UnitRecord[] } | undefined;
  /** Keeps a record that the server does not take yet, and lets it rest until a moment. */
  hold(stream: string, seq: number, untilMs: number): void;
  /** Forgets what the server answered for: numbers that it stored or will never take. */
  settle(stream: string, ranges: readonly (readonly [first: number, last: number])[]): void;
  /** How many records are kept, those that rest included. */
  readonly size: number;
}

interface Waiting {
  readonly record: UnitRecord;
  /** Not sent before this moment, ms since 1970 UTC. */
  dueMs: number;
}

/**
 * An outbox in memory, for units whose world can be made again. A real unit writes `add` to its disk before
 * it counts on, and `settle` when it is done: whatever is lost in between is sent twice, which does no harm.
 */
export function createMemoryOutbox(): Outbox {
  const streams = new Map<string, Map<number, Waiting>>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add: (stream, records) => {
      const waiting = streams.get(stream) ?? new Map<number, Waiting>();
      streams.set(stream, waiting);
      const before = waiting.size;
      for (const record of records) {
        if (!waiting.has(record.seq)) waiting.set(record.seq, { record, dueMs: 0 });
      }
      size += waiting.size - before;
    },
    peek: (limit, nowMs) => {
      for (const [stream, waiting] of streams) {
        const records = firstDue(waiting.values(), limit, nowMs);
        if (records.length > 0) return { stream, records };
      }
      return undefined;
    },
    hold: (stream, seq, untilMs) => {
      const kept = streams.get(stream)?.get(seq);
      if (kept !== undefined) kept.dueMs = untilMs;
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

function firstDue(waiting: Iterable<Waiting>, limit: number, nowMs: number): UnitRecord[] {
  const found: UnitRecord[] = [];
  for (const { record, dueMs } of waiting) {
    if (found.length >= limit) break;
    if (dueMs <= nowMs) found.push(record);
  }
  return found;
}
