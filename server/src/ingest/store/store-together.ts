// Usual batches of many units share a statement, which is one transaction: a thousand connections that send at the same
// time would each cost a commit. One unit's trouble costs no other anything: a batch of which somebody holds the unit's row or
// a day is left out and waits in the long way, which has places of its own, and when the statement fails, each batch is
// tried alone.
import type { Database } from '../../core/db/db.ts';
import { isDatabaseAway } from '../../core/errors.ts';
import { lateError } from './at-once.ts';
import { INTO_QUEUE, type QueueRow } from './queue-out.ts';

/** Statements of a process at the same time: one works while the other's answer is read. */
const MOST_RUNNING = 2;
/** Batches of a statement: some tens of ms. */
const MOST_TOGETHER = 64;
/** Longest wait for a statement, ms. */
const LONGEST_WAIT_MS = 5000;

/** A block of positions other than the last one, new or as read, with the names of the type that the statement reads. */
export interface OtherBlock {
  readonly unit: number;
  readonly start: Date;
  readonly count: number;
  readonly first: Date;
  readonly last: Date;
  /** In hexadecimal digits, as the database reads bytes. */
  readonly points: string;
}

/** A usual batch. */
export interface UsualBatch {
  readonly unitId: number;
  readonly busId: number | null;
  /** A value of the type `following_batch`. */
  readonly batch: Readonly<Record<string, unknown>>;
  readonly blocks: readonly OtherBlock[];
  /** Past days, ascending, whose laps must be requested, and due by then. */
  readonly pastDays: readonly string[];
  readonly pastDue: Date;
  readonly queued: readonly QueueRow[];
}

/**
 * Stores a usual batch, perhaps with others.
 * @returns whether it is stored; otherwise nothing of it is, and the long way tells why
 * @throws the database's error; AppError unavailable when its turn comes too late
 */
export type StoreTogether = (batch: UsualBatch) => Promise<boolean>;

/**
 * A named statement is planned once a connection. Units are locked first, then days, as everybody does, and none that
 * somebody holds: two of these statements run at the same time, and two that waited would keep all units waiting. The days
 * of the past stay locked until the end, as those of the present do in the function.
 */
const STATEMENT = {
  name: 'store_following_batches',
  text: `with batch as materialized (
      select one.unit, store_following_batch(one) as stored
      from json_populate_recordset(null::following_batch, $1) as one
      where case when one.unit = any (array(select id from units where id = any ($4::bigint[])
          order by id for no key update skip locked))
        then not exists (
            select from json_to_recordset($5) as past (unit bigint, day date, due timestamptz)
            where past.unit = one.unit and not exists (
              select from lap_days where workplace_id = one.bus and lap_days.day = past.day
                and asked_at is not null and due_at <= past.due for no key update skip locked))
        end
    ), blocks as (
      insert into position_blocks (unit_id, block_start, point_count, first_time, last_time, points)
      select unit, start, count, first, last, points from json_to_recordset($2) as added (unit bigint,
        start timestamptz, count integer, first timestamptz, last timestamptz, points bytea)
      where unit in (select unit from batch where stored)
      on conflict (unit_id, block_start) do update set point_count = excluded.point_count,
        first_time = excluded.first_time, last_time = excluded.last_time, points = excluded.points
    ), queued as (
      ${INTO_QUEUE.join('$3')} where unit in (select unit from batch where stored)
    )
    select unit from batch where stored`,
};

interface Waiting {
  readonly usual: UsualBatch;
  readonly sinceMs: number;
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes the statements of one process. */
export function createStoreTogether({ pool }: Pick<Database, 'pool'>): StoreTogether {
  let running = 0;
  let waiting: Waiting[] = [];
  return (usual) =>
    new Promise((resolve, reject) => {
      waiting.push({ usual, sinceMs: performance.now(), resolve, reject });
      if (running < MOST_RUNNING) void run();
    });

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) await storeSome(takeSome());
    running -= 1;
  }

  // In the order of arrival, one of each bus, so that locks of a bus are taken once, and in one order by everybody.
  function takeSome(): Waiting[] {
    const taken = new Map<string, Waiting>();
    const left: Waiting[] = [];
    for (const one of waiting) {
      const { unitId, busId } = one.usual;
      const key = busId === null ? `unit ${unitId}` : `bus ${busId}`;
      if (isLate(one.sinceMs)) one.reject(lateError());
      else if (taken.size < MOST_TOGETHER && !taken.has(key)) taken.set(key, one);
      else left.push(one);
    }
    waiting = left;
    return [...taken.values()].sort((a, b) => (a.usual.busId ?? 0) - (b.usual.busId ?? 0));
  }

  async function storeSome(some: readonly Waiting[]): Promise<void> {
    if (some.length === 0) return;
    try {
      const stored = await ask(some.map(({ usual }) => usual));
      for (const { usual, resolve } of some) resolve(stored.has(usual.unitId));
    } catch (error) {
      if (some.length > 1 && isOfOne(error)) {
        await storeEach(some);
      } else if (hasClass(error, '23')) {
        // An event is there already: the batch is no usual one.
        for (const { resolve } of some) resolve(false);
      } else {
        for (const { reject } of some) reject(error);
        // Those who wait would meet the same.
        if (isDatabaseAway(error)) for (const { reject } of waiting.splice(0)) reject(error);
      }
    }
  }

  // If the database is slow for all, the last of many would wait for minutes: their senders have long sent again.
  async function storeEach(some: readonly Waiting[]): Promise<void> {
    const beganMs = performance.now();
    for (const one of some) {
      if (isLate(beganMs)) one.reject(lateError());
      else await storeSome([one]);
    }
  }

  async function ask(some: readonly UsualBatch[]): Promise<ReadonlySet<number>> {
    const json = (values: readonly unknown[]): string => JSON.stringify(values);
    const values = [
      json(some.map(({ batch }) => batch)),
      json(some.flatMap(({ blocks }) => blocks)),
      json(some.flatMap(({ queued }) => queued)),
      some.map(({ unitId }) => unitId),
      json(
        some.flatMap(({ unitId: unit, pastDays, pastDue: due }) =>
          pastDays.map((day) => ({ unit, day, due })),
        ),
      ),
    ];
    const { rows } = await pool.query<{ unit: number }>({ ...STATEMENT, values });
    return new Set(rows.map(({ unit }) => unit));
  }
}

const isLate = (sinceMs: number): boolean => performance.now() - sinceMs > LONGEST_WAIT_MS;

const hasClass = (error: unknown, sqlClass: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  String(error.code).length === 5 &&
  String(error.code).startsWith(sqlClass);

// Errors that one batch of several may have caused: its data (22, 23), a deadlock (40), a lock (55) or its length (57014).
function isOfOne(error: unknown): boolean {
  return ['22', '23', '40', '55', '57014'].some((sqlClass) => hasClass(error, sqlClass));
}
