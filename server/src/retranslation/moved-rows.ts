// Waiting records follow their unit to another bus: records since the moment of the move are of the new bus. Whether an
// upstream wants them as of that bus is decided when they are sent. Those of a unit that goes to no bus are parked: its next
// bus takes them.
import { MAX_AHEAD_MS } from '@ridewatch/contract/unit';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import type { PeopleOfDoor } from '../ingest/store/queue-out.ts';
import { packPoints, type StoredPoint, unpackPoints } from '../positions/pack.ts';

/** A unit that goes to another bus. */
interface Move {
  readonly unitId: number;
  /** null: it was in no bus, and only what is parked waits. */
  readonly from: number | null;
  /** null: it is in no bus any more, and what it has recorded since then waits for its next one. */
  readonly to: number | null;
  /** From when on, ms since 1970 UTC; minus infinity: always. */
  readonly fromMs: number;
  /** The present, ms since 1970 UTC. */
  readonly nowMs: number;
}

/** Tables with rows of a bus: those that are sent, and those that are kept for buses that the upstream does not know. */
const OF_BUSES = ['upstream_queue', 'upstream_unregistered'] as const;
const PARKED = 'upstream_parked';
type Table = (typeof OF_BUSES)[number] | typeof PARKED;

/**
 * Most rows that a move takes along: upstreams are locked for some 10 s. A unit with a batch every 5 s has 52,000 at one
 * upstream that has been away for 3 days.
 */
export const MOST_MOVED = 100_000;
/** Rows that are read and moved at once. */
const LOT = 5000;

interface Key {
  readonly upstream: number;
  readonly id: number;
}

interface Row extends Key {
  readonly points: Buffer | null;
  readonly people: PeopleOfDoor[] | null;
}

/** Some records of a row. */
interface Part {
  readonly records: number;
  /** As text of a bytea. */
  readonly points: string | null;
  readonly people: readonly PeopleOfDoor[] | null;
}

/**
 * Gives waiting records since a move to the new bus; without one they are parked. It locks the upstreams for which the unit
 * has waiting records until the transaction ends: call it last. The unit is locked already, so that it brings no others.
 * @param limits rows in all, and at once; tests have fewer
 * @returns whether a move takes so many rows along; otherwise nothing is moved
 * @throws the database's error
 */
export async function moveQueued(
  tx: Tx,
  move: Move,
  { most, lot } = { most: MOST_MOVED, lot: LOT },
): Promise<boolean> {
  const { unitId, from, fromMs } = move;
  const tables: readonly Table[] = from === null ? [PARKED] : OF_BUSES;
  // Found by the unit, whose rows are few beside those of an upstream that has been away.
  const ofBus = from === null ? sql`` : sql`and workplace_id = ${from}::bigint`;
  const ofUnit = sql`unit_id = ${unitId} ${ofBus}`;
  const ahead = await listAhead(tx, tables, ofUnit, fromMs, lot);
  const since = new Date(Math.max(0, fromMs));
  const own = sql`${ofUnit} and (stored_at >= ${since} or id = any(${ahead}::bigint[]))`;
  // Settling locks the upstream before its rows, too.
  const { rows: locked } = await sql<{ id: number }>`
    select id from upstreams where id in (${sql.join(
      tables.map((table) => sql`select upstream_id from ${sql.table(table)} where ${own}`),
      sql` union `,
    )})
    order by id for no key update`.execute(tx);
  if (locked.length === 0) return true;
  const upstreams = locked.map(({ id }) => id);
  const found: { readonly table: Table; readonly keys: readonly Key[] }[] = [];
  let left = most;
  for (const table of tables) {
    const { rows: keys } = await sql<Key>`
      select upstream_id as upstream, id from ${sql.table(table)}
      where upstream_id = any(${upstreams}::bigint[]) and ${own} limit ${left + 1}`.execute(tx);
    left -= keys.length;
    if (left < 0) return false;
    found.push({ table, keys: keys.toSorted((a, b) => a.id - b.id) });
  }
  for (const { table, keys } of found) {
    for (let at = 0; at < keys.length; at += lot) {
      await moveLot(tx, table, keys.slice(at, at + lot), move);
    }
  }
  return true;
}

// The ids of rows that were stored before a moment and have records since then: a clock was ahead. Only their times tell, and
// nothing is locked meanwhile. A row keeps its id, and a statement sees it in one of the tables.
async function listAhead(
  tx: Tx,
  tables: readonly Table[],
  ofUnit: RawBuilder<unknown>,
  fromMs: number,
  lot: number,
): Promise<readonly number[]> {
  const [since, until] = [fromMs - MAX_AHEAD_MS, fromMs].map((ms) => new Date(Math.max(0, ms)));
  const ofTables = (columns: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
    sql.join(
      tables.map((table) => sql`select ${columns} from ${sql.table(table)} where ${which}`),
      sql` union all `,
    );
  const early = sql`${ofUnit} and stored_at >= ${since} and stored_at < ${until}`;
  const { rows: keys } = await sql<Key>`
    ${ofTables(sql`upstream_id as upstream, id`, early)}`.execute(tx);
  const ahead: number[] = [];
  for (let at = 0; at < keys.length; at += lot) {
    const { rows } = await sql<Row>`
      ${ofTables(sql`id, points, people`, areOf(keys.slice(at, at + lot)))}`.execute(tx);
    ahead.push(...rows.filter((row) => hasSince(row, fromMs)).map(({ id }) => id));
  }
  return ahead;
}

async function moveLot(tx: Tx, table: Table, keys: readonly Key[], move: Move): Promise<void> {
  const { rows } = await sql<Row>`
    select upstream_id as upstream, id, points, people
    from ${sql.table(table)} where ${areOf(keys)} order by id`.execute(tx);
  const parted = rows.map((row) => ({ row, ...partsOf(row, move.fromMs) }));
  const whole = parted.filter(({ before, since }) => before === undefined && since !== undefined);
  await moveWhole(
    tx,
    table,
    whole.map(({ row }) => row),
    move,
  );
  for (const { row, before, since } of parted) {
    if (before !== undefined && since !== undefined) {
      await split(tx, table, row, { before, since }, move);
    }
  }
}

const areOf = (keys: readonly Key[]): RawBuilder<unknown> => sql`
  (upstream_id, id) in (select * from unnest(
    ${keys.map(({ upstream }) => upstream)}::bigint[], ${keys.map(({ id }) => id)}::bigint[]))`;

const hasSince = ({ points, people }: Row, fromMs: number): boolean =>
  (people ?? []).some(([seconds]) => seconds * 1000 >= fromMs) ||
  (points !== null && unpackPoints(points).some((point) => timeOf(point) >= fromMs));

const timeOf = ({ sentMs, offsetMs }: StoredPoint): number => sentMs + offsetMs;

/** The records of a row before a moment, and those since then; undefined: there are none. */
function partsOf({ points, people }: Row, fromMs: number) {
  const { old, young } = Object.groupBy(points === null ? [] : unpackPoints(points), (point) =>
    timeOf(point) < fromMs ? 'old' : 'young',
  );
  const { left, gone } = Object.groupBy(people ?? [], ([seconds]) =>
    seconds * 1000 < fromMs ? 'left' : 'gone',
  );
  return { before: partOf(old, left), since: partOf(young, gone) };
}

function partOf(
  points: readonly StoredPoint[] = [],
  people: readonly PeopleOfDoor[] = [],
): Part | undefined {
  const seconds = new Set([
    ...points.map((point) => Math.floor(timeOf(point) / 1000)),
    ...people.map(([second]) => second),
  ]);
  if (seconds.size === 0) return undefined;
  return {
    records: seconds.size,
    points: points.length === 0 ? null : `\\x${packPoints(points).toString('hex')}`,
    people: people.length === 0 ? null : people,
  };
}

async function moveWhole(tx: Tx, table: Table, rows: readonly Key[], move: Move): Promise<void> {
  if (rows.length === 0) return;
  const keys = areOf(rows);
  if (move.to === null) {
    await sql`
      with gone as (delete from ${sql.table(table)} where ${keys} returning *)
      insert into upstream_parked (id, upstream_id, unit_id, stored_at, records, points, people)
      select id, upstream_id, unit_id, stored_at, records, points, people from gone`.execute(tx);
  } else if (table === 'upstream_queue') {
    await sql`update upstream_queue set workplace_id = ${move.to} where ${keys}`.execute(tx);
  } else {
    // The upstream may know the new bus.
    const now = sql`${new Date(move.nowMs)}::timestamptz`;
    await sql`
      with moved as (delete from ${sql.table(table)} where ${keys} returning *)
      insert into upstream_queue (id, upstream_id, unit_id, workplace_id, stored_at, records, points, people,
        due_at, back_at) overriding system value
      select id, upstream_id, unit_id, ${move.to}::bigint, stored_at, records, points, people, now(), ${now}
      from moved`.execute(tx);
  }
}

// The row keeps its id with the records since the move: if it is on its way, its answer is about them, too, and they stay with
// the old bus. Those before the move get a row of their own with the turns of their people: what comes again is a repeat.
async function split(
  tx: Tx,
  table: Table,
  row: Row,
  { before, since }: { readonly before: Part; readonly since: Part },
  move: Move,
): Promise<void> {
  const key = sql`upstream_id = ${row.upstream} and id = ${row.id}`;
  const more = {
    upstream_queue: sql`, workplace_id, due_at, tries, back_at`,
    upstream_unregistered: sql`, workplace_id`,
    upstream_parked: sql``,
  }[table];
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (id, upstream_id, unit_id, stored_at, records, points, people ${more})
      overriding system value
    select nextval(pg_get_serial_sequence('upstream_queue', 'id')), upstream_id, unit_id, stored_at,
      ${before.records}::smallint, ${before.points}::bytea, ${textOf(before)} ${more}
    from ${sql.table(table)} where ${key} returning id`.execute(tx);
  const seconds = (before.people ?? []).map(([second]) => second);
  await sql`
    insert into upstream_turns (upstream_id, workplace_id, second, queue_id, turn, taken_at)
    select upstream_id, workplace_id, second, ${rows[0]?.id}::bigint, turn, taken_at from upstream_turns
    where upstream_id = ${row.upstream} and workplace_id = ${move.from}::bigint and queue_id = ${row.id}
      and second = any(${seconds}::bigint[])
    on conflict do nothing`.execute(tx);
  await sql`
    update ${sql.table(table)} set records = ${since.records}, points = ${since.points}::bytea,
      people = ${textOf(since)} where ${key}`.execute(tx);
  await moveWhole(tx, table, [row], move);
}

const textOf = ({ people }: Part): RawBuilder<unknown> =>
  sql`${people === null ? null : JSON.stringify(people)}::jsonb`;
