import type { UnitRecord } from '@ridewatch/contract/unit';

/** Records that the server has not stored yet. A real unit keeps them on disk, so that they survive a power cut. */
export interface Outbox {
  /** Adds numbered records; a number that already waits is not added twice. */
  add(stream: string, records: readonly UnitRecord[]): void;
  /**
   * The records to send next, at most `limit`, the oldest stream first; undefined if nothing is due.
   * @param nowMs the unit's clock, ms since 1970 UTC
   */
  peek(limit: number, nowMs: number): { stream: string; records: UnitRecord[] } | undefined;
  /** Postpones a record that the server does not accept yet. @param untilMs ms since 1970 UTC */
  hold(stream: string, seq: number, untilMs: number): void;
  /** Removes records that the server stored or will never store. */
  settle(stream: string, ranges: readonly (readonly [first: number, last: number])[]): void;
  /** Number of waiting records, including postponed ones. */
  readonly size: number;
}

interface Waiting {
  readonly record: UnitRecord;
  /** Not sent before this time, ms since 1970 UTC. */
  dueMs: number;
}

/**
 * An outbox in memory, for units that can make their records again. A real unit writes `add` to its disk before it
 * numbers the next record, and `settle` afterwards: a record that is lost in between is sent twice, which does no harm.
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
      const waiting = streams.get(stream)?.get(seq);
      if (waiting !== undefined) waiting.dueMs = untilMs;
    },
    settle: (stream, ranges) => {
      const waiting = streams.get(stream);
      if (waiting === undefined) return;
      const before = waiting.size;
      for (const [first, last] of ranges) {
        // A range may be far longer than the number of waiting records.
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
