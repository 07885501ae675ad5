// Notes units that were heard and told nothing to store, as by a sign-in: they are not silent. After a restart of the server
// all sign in at once, so a process writes a moment later, many in a statement.
import { sql } from 'kysely';
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';

/** The records that follow a sign-in at once come first, ms. */
const NOTE_AFTER_MS = 500;
/** A failed write is tried again after this time, ms. */
const AGAIN_MS = 5000;
/** Units of a statement. Their rows are locked together, and the records of a locked unit take the long way. */
const MOST_TOGETHER = 200;
/** A unit that was heard so shortly before needs no note, ms: most of them also tell records. */
const FRESH_MS = 10_000;

/** The units of one process that were heard. */
export interface HeardUnits {
  /** Notes that a unit was heard now. */
  note(unitId: number): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

/**
 * Makes them.
 * @param afterMs tests wait for less
 * @param againMs tests wait for less
 */
export function createHeardUnits(
  { database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  afterMs = NOTE_AFTER_MS,
  againMs = AGAIN_MS,
): HeardUnits {
  /** When each was heard last, ms since 1970 UTC. */
  const heard = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function wait(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, ms);
  }

  async function write(): Promise<void> {
    const all = [...heard];
    heard.clear();
    try {
      while (all.length > 0) {
        const some = all.slice(0, MOST_TOGETHER);
        const locked = new Set(await writeHeard(database, some));
        all.splice(0, some.length);
        keep(some.filter(([unitId]) => locked.has(unitId)));
      }
      if (heard.size > 0) wait(afterMs);
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'heard units were not noted');
      keep(all);
      wait(againMs);
    }
  }

  // One that was heard again meanwhile has a later moment.
  function keep(some: readonly (readonly [number, number])[]): void {
    for (const [unitId, atMs] of some) if (!heard.has(unitId)) heard.set(unitId, atMs);
  }

  return {
    note: (unitId) => {
      heard.set(unitId, clock.nowMs());
      wait(afterMs);
    },
    close: async () => {
      clearTimeout(timer);
      timer = undefined;
      await writing;
      if (heard.size > 0) await write();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

// Gives the units whose rows somebody locks, mostly to store their records. A statement that waited for one would keep the
// records of all others from the short way.
async function writeHeard(
  { db }: Deps['database'],
  heard: readonly (readonly [number, number])[],
): Promise<number[]> {
  const { rows } = await sql<{ unit: number }>`
    with due as materialized (
      select unit, at from units join unnest(
        ${heard.map(([unitId]) => unitId)}::bigint[],
        ${heard.map(([, atMs]) => new Date(atMs))}::timestamptz[]) as heard (unit, at) on unit = id
      where last_seen_at is null or last_seen_at < at - ${FRESH_MS}::float8 * interval '1 ms'
    ), free as materialized (
      select id from units where id in (select unit from due)
      order by id for no key update skip locked
    ), written as (
      update units set last_seen_at = greatest(last_seen_at, due.at) from due
      where id = unit and id in (select id from free)
    )
    select unit from due where unit not in (select id from free)`.execute(db);
  return rows.map(({ unit }) => unit);
}
