// Rows for upstreams are written in the transaction that stores the records, so that nothing is passed on that is not
// stored, and nothing is stored that is not passed on.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { packPoints, type StoredPoint } from '../../positions/pack.ts';
import { hasPlace, type PassengerRecord, type Sorted } from './records.ts';
import { pointOf } from './stored.ts';
import type { Upstream } from './upstreams.ts';

/** Most seconds of a row: fewer than a packet has. */
const MOST_SECONDS = 50;

/** People of one door in one second: s since 1970 UTC, door, entered, exited. */
export type PeopleOfDoor = readonly [
  seconds: number,
  door: number,
  entered: number,
  exited: number,
];

/** A row of the queue, with the names of the type that the statement reads. */
export interface QueueRow {
  readonly upstream: number;
  readonly unit: number;
  readonly bus: number;
  readonly stored: Date;
  /** Seconds with a position or people. */
  readonly records: number;
  readonly points: string | null;
  readonly people: readonly PeopleOfDoor[] | null;
}

/** Inserts rows from JSON; the first part ends where their JSON stands. The database's clock says when they are due. */
export const INTO_QUEUE = [
  `insert into upstream_queue (upstream_id, unit_id, workplace_id, stored_at, due_at, records, points, people)
    select upstream, unit, bus, stored, now(), records, points, people from json_to_recordset(`,
  `::json) as queued (upstream bigint, unit bigint, bus bigint, stored timestamptz, records smallint, points bytea,
      people jsonb)`,
] as const;

/** A unit and the bus in which it recorded. */
interface RowSource {
  readonly unitId: number;
  readonly busId: number;
}

/**
 * The rows that records of a unit become, for all upstreams together. EGTS has whole seconds: of several positions in one
 * the last counts.
 * @param storedMs the server's clock, ms since 1970 UTC
 */
export function queueRows(
  { unitId, busId }: RowSource,
  { positions, passengers }: Pick<Sorted, 'positions' | 'passengers'>,
  upstreams: readonly Upstream[],
  storedMs: number,
): QueueRow[] {
  const placed = positions.filter(hasPlace);
  return upstreams.flatMap(({ id, fromMs, withPeople }) => {
    const points = new Map<number, StoredPoint>();
    for (const record of placed) {
      if (record.timeMs < fromMs) continue;
      const second = secondOf(record.timeMs);
      const before = points.get(second);
      const isLater = before === undefined || before.sentMs + before.offsetMs <= record.timeMs;
      if (isLater) points.set(second, pointOf({ ...record, seq: 0 }, 0));
    }
    const events = withPeople ? passengers.filter(({ timeMs }) => timeMs >= fromMs) : [];
    const people = Map.groupBy(peopleOf(events), ([second]) => second);
    const seconds = [...new Set([...points.keys(), ...people.keys()])].sort((a, b) => a - b);
    return lotsOf(seconds).map((lot) => {
      const some = lot.flatMap((second) => points.get(second) ?? []);
      const counted = lot.flatMap((second) => people.get(second) ?? []);
      return {
        ...{ upstream: id, unit: unitId, bus: busId, stored: new Date(storedMs) },
        records: lot.length,
        points: some.length === 0 ? null : `\\x${packPoints(some).toString('hex')}`,
        people: counted.length === 0 ? null : counted,
      };
    });
  });
}

/** Inserts rows of the queue. */
export async function insertQueued(db: Db, rows: readonly QueueRow[]): Promise<void> {
  if (rows.length === 0) return;
  const [before, after] = INTO_QUEUE.map((text): RawBuilder<unknown> => sql.raw(text));
  await sql`${before}${JSON.stringify(rows)}${after}`.execute(db);
}

const secondOf = (timeMs: number): number => Math.floor(timeMs / 1000);

function peopleOf(events: readonly PassengerRecord[]): PeopleOfDoor[] {
  const byDoor = Map.groupBy(events, ({ timeMs, door }) => `${secondOf(timeMs)} ${door}`);
  return [...byDoor.values()].flatMap((some): PeopleOfDoor[] => {
    const [first] = some;
    if (first === undefined) return [];
    const sum = (way: string): number =>
      some.reduce((all, { direction, count }) => all + (direction === way ? count : 0), 0);
    return [[secondOf(first.timeMs), first.door, sum('entered'), sum('exited')]];
  });
}

function lotsOf(seconds: readonly number[]): (readonly number[])[] {
  const lots: (readonly number[])[] = [];
  for (let from = 0; from < seconds.length; from += MOST_SECONDS) {
    lots.push(seconds.slice(from, from + MOST_SECONDS));
  }
  return lots;
}
