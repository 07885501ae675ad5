// Assignments: in which bus a unit sat when (docs/decisions/101-units-that-move.md).
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { KnownUnit, PastAssignment } from '../core/viewer.ts';

/** Most past assignments of a unit that its late records go to, the latest. */
const MOST_ASSIGNMENTS = 50;

/** A unit as the database has it; `assigned_from` is infinite for one that has never moved. */
export interface StoredUnit extends Pick<KnownUnit, 'unitId' | 'deviceId' | 'busId'> {
  readonly assigned_from: Date | number;
  readonly pastAssignments: readonly StoredAssignment[];
}

interface StoredAssignment extends Omit<PastAssignment, 'fromMs'> {
  /** null: always. */
  readonly fromMs: number | null;
}

/** The past assignments of a unit as JSON, as a column. @param unitId a bigint; qualify a column with its table */
export function pastAssignmentsOf(unitId: RawBuilder<unknown>): RawBuilder<StoredAssignment[]> {
  const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
  return sql<StoredAssignment[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('busId', workplace_id, 'untilMs', ${ms('until_at')},
      'fromMs', case when isfinite(from_at) then ${ms('from_at')} end)), '[]')
    from (
      select * from past_assignments where unit_id = ${unitId} order by from_at desc limit ${MOST_ASSIGNMENTS}
    ) as latest)`;
}

/** The unit of a row. */
export function knownUnitOf({ assigned_from, pastAssignments, ...unit }: StoredUnit): KnownUnit {
  return {
    ...unit,
    assignedFromMs: Number(assigned_from),
    pastAssignments: pastAssignments.map(({ fromMs, ...assignment }) => ({
      ...assignment,
      fromMs: fromMs ?? Number.NEGATIVE_INFINITY,
    })),
  };
}

/** A unit with its assignments. @returns undefined when there is none */
export async function findKnownUnit(db: Db, unitId: number): Promise<KnownUnit | undefined> {
  const row = await db
    .selectFrom('units')
    .select(['id as unitId', 'device_id as deviceId', 'workplace_id as busId', 'assigned_from'])
    .select(pastAssignmentsOf(sql.ref('units.id')).as('pastAssignments'))
    .where('id', '=', unitId)
    .executeTakeFirst();
  return row && knownUnitOf(row);
}

/** A time that a unit spent in one bus, or in none. */
export interface Stay {
  /** null: it was a spare one. */
  readonly busId: number | null;
  /** Its beginning, which no other stay of the unit has, ms since 1970 UTC; -Infinity: always. */
  readonly fromMs: number;
}

/**
 * The stay of a unit at a moment.
 * @param atMs ms since 1970 UTC
 */
export function stayAt({ busId, assignedFromMs, pastAssignments }: KnownUnit, atMs: number): Stay {
  if (atMs >= assignedFromMs) return { busId, fromMs: assignedFromMs };
  const past = pastAssignments.find(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs);
  if (past !== undefined) return past;
  const left = pastAssignments.filter(({ untilMs }) => untilMs <= atMs);
  return { busId: null, fromMs: Math.max(...left.map(({ untilMs }) => untilMs)) };
}

/**
 * The bus in which a unit sat at a moment.
 * @param atMs ms since 1970 UTC
 * @returns null when it was a spare one
 */
export const busAt = (unit: KnownUnit, atMs: number): number | null => stayAt(unit, atMs).busId;

/**
 * Since when a bus without a unit has had none, as SQL; `-infinity`: always. A new unit has been there since then.
 * @param busId a bigint
 * @param unitId of the unit that comes: its own earlier assignments do not count
 */
export function freeFrom(
  busId: RawBuilder<unknown>,
  unitId: RawBuilder<unknown> = sql`0`,
): RawBuilder<Date> {
  return sql<Date>`coalesce((select max(until_at) from past_assignments
    where workplace_id = ${busId} and unit_id <> ${unitId}), '-infinity'::timestamptz)`;
}
