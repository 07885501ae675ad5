// Reads the rows that an upstream has still to get. The number of a bus and its customer on the day of each record decide now, not
// when the record was stored.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { createDayFinder, listZonesOf } from '../days/bus-days.ts';
import { objectNumber } from '../ingest/store/object-numbers.ts';
import type { PeopleOfDoor } from '../ingest/store/queue-out.ts';
import { type StoredPoint, unpackPoints } from '../positions/pack.ts';

/** One second of a bus. */
export interface Second {
  /** s since 1970 UTC. */
  readonly seconds: number;
  readonly point: StoredPoint | undefined;
  readonly people: readonly PeopleOfDoor[];
}

/** A row of the queue. */
export interface DueRow {
  readonly id: number;
  readonly busId: number;
  /** The number of the bus at the upstream. */
  readonly object: number;
  readonly tries: number;
  readonly seconds: readonly Second[];
}

/** A row that is not for the upstream any more. */
interface Unwanted {
  readonly id: number;
  readonly busId: number;
  /** It was kept for a bus of the fleet that the upstream did not know, and is back to ask, or with others. */
  readonly hasAsked: boolean;
}

/** Rows to send, those that are not for the upstream any more, and ids of those whose bus has no number there now. */
export interface Due {
  readonly rows: readonly DueRow[];
  readonly unwanted: readonly Unwanted[];
  readonly unnumbered: readonly number[];
}

interface Asked {
  readonly upstreamId: number;
  /** Whether it gets buses whatever their customer. */
  readonly allClients: boolean;
  readonly withPeople: boolean;
  /** Rows that are being sent. */
  readonly sending: readonly number[];
  readonly most: number;
}

interface Row {
  readonly id: number;
  readonly busId: number;
  readonly isRetired: boolean;
  readonly isBack: boolean;
  readonly object: number | null;
  readonly tries: number;
  readonly points: Buffer | null;
  readonly people: PeopleOfDoor[] | null;
}

/** Whether a row is due. */
export async function isAnyDue(db: Db, upstreamId: number): Promise<boolean> {
  const row = await db
    .selectFrom('upstream_queue')
    .select('id')
    .where('upstream_id', '=', upstreamId)
    .where('due_at', '<=', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reads the rows that are due, the oldest first. Those of buses that have left the fleet are not wanted. */
export async function readDue(
  db: Db,
  { upstreamId, allClients, withPeople, sending, most }: Asked,
): Promise<Due> {
  const object = objectNumber(sql.ref('queue.upstream_id'), sql.ref('queue.workplace_id'));
  const { rows } = await sql<Row>`
    select queue.id, queue.workplace_id as "busId",
      bus.id is null or bus.retired_at is not null as "isRetired", back_at is not null as "isBack",
      ${object} as object, tries, points,
      ${withPeople ? sql`people` : sql`null`} as people
    from upstream_queue as queue
    left join upstream_buses as numbered
      on numbered.upstream_id = queue.upstream_id and numbered.workplace_id = queue.workplace_id
    left join units on units.id = queue.unit_id
    left join workplaces as bus on bus.id = queue.workplace_id
    where queue.upstream_id = ${upstreamId} and due_at <= now()
      and queue.id <> all(${[...sending]}::bigint[])
    order by due_at, queue.id limit ${most}`.execute(db);
  const isOwn = allClients ? () => true : await readOwnDays(db, upstreamId, rows);
  const due = { rows: [] as DueRow[], unwanted: [] as Unwanted[], unnumbered: [] as number[] };
  for (const row of rows) {
    const { id, busId, object, tries, isRetired, isBack } = row;
    const seconds = secondsOf(row).filter((one) => isOwn(busId, one.seconds * 1000));
    if (isRetired || seconds.length === 0) {
      due.unwanted.push({ id, busId, hasAsked: isBack && !isRetired });
    } else if (object === null) due.unnumbered.push(id);
    else due.rows.push({ id, busId, object, tries, seconds });
  }
  return due;
}

// Whether a moment of a bus is of a customer of the upstream.
async function readOwnDays(
  db: Db,
  upstreamId: number,
  rows: readonly Row[],
): Promise<(busId: number, timeMs: number) => boolean> {
  const busIds = [...new Set(rows.map(({ busId }) => busId))];
  if (busIds.length === 0) return () => false;
  const spans = await db
    .selectFrom('bus_owners')
    .innerJoin('upstream_clients', 'upstream_clients.client_id', 'bus_owners.client_id')
    .select(['workplace_id', 'from_day', 'to_day'])
    .where('upstream_id', '=', upstreamId)
    .where('workplace_id', 'in', busIds)
    .execute();
  const byBus = Map.groupBy(spans, ({ workplace_id }) => workplace_id);
  const zones = await listZonesOf(db, busIds);
  const finders = new Map(busIds.map((id) => [id, createDayFinder(zones.get(id) ?? [])]));
  return (busId, timeMs) => {
    const day = finders.get(busId)?.(timeMs).day ?? '';
    // Infinite days sort as texts, too.
    return (byBus.get(busId) ?? []).some(
      ({ from_day, to_day }) => from_day <= day && day <= to_day,
    );
  };
}

function secondsOf({ points, people }: Row): Second[] {
  const placed = new Map(
    (points === null ? [] : unpackPoints(points)).map((point) => [
      Math.floor((point.sentMs + point.offsetMs) / 1000),
      point,
    ]),
  );
  const counted = Map.groupBy(people ?? [], ([seconds]) => seconds);
  return [...new Set([...placed.keys(), ...counted.keys()])]
    .sort((a, b) => a - b)
    .map((seconds) => ({
      ...{ seconds, point: placed.get(seconds) },
      people: counted.get(seconds) ?? [],
    }));
}
