// Tells who changed which value of a day's record or which manual counts behind it, when, and from what to what.
import {
  type CalculationChange,
  type CalculationField,
  CountSide,
  type listCalculationChanges,
} from '@ridewatch/contract/calculation-history';
import type { DayRange } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { findDayBounds } from '../days/bus-days.ts';
import { findDayRecord, valuesOf } from './day-money.ts';

/** A changed value. */
export interface MadeChange extends DayOfBus {
  readonly field: CalculationField;
  /** As in the API; null for no value. */
  readonly before: string | null;
  readonly after: string | null;
  /** Of the record after the change. */
  readonly version: number;
  readonly source: CalculationChange['source'];
  readonly userId: number;
  readonly nowMs: number;
}

/** Stores changes, in the transaction that makes them. */
export async function insertChanges(tx: Tx, changes: readonly MadeChange[]): Promise<void> {
  const column = <T>(pick: (change: MadeChange) => T): T[] => changes.map(pick);
  await sql`
    insert into calculation_changes
      (workplace_id, day, field, before, after, version, source, user_id, at)
    select * from unnest(
      ${column(({ busId }) => busId)}::bigint[], ${column(({ day }) => day)}::date[],
      ${column(({ field }) => field)}::text[], ${column(({ before }) => before)}::text[],
      ${column(({ after }) => after)}::text[], ${column(({ version }) => version)}::int[],
      ${column(({ source }) => source)}::text[], ${column(({ userId }) => userId)}::bigint[],
      ${column(({ nowMs }) => new Date(nowMs))}::timestamptz[])`.execute(tx);
}

type History = ResponseOf<typeof listCalculationChanges>;

/** A change of a value or of a fragment's manual counts; the fields of the other kind are null. */
interface Row extends Pick<CalculationChange, 'version' | 'field' | 'source'> {
  readonly kind: History['items'][number]['kind'];
  readonly id: number;
  readonly at: Date;
  readonly login: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly fragmentId: number;
  readonly door: number | null;
  readonly startAt: Date;
  readonly hadCounts: Partial<Record<CountSide, number | null>> | null;
  readonly hasCounts: Partial<Record<CountSide, number | null>>;
}

/**
 * A page of the changes of a day, the latest first, and how its record came to be. Manual counts are those of the
 * fragments that start on the day; the audit log has each of their changes.
 * @param page from 0
 */
export async function findHistory(
  db: Db,
  question: DayOfBus,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<History> {
  const changes = changesOf(question, await findDayBounds(db, question.busId, question.day));
  const { rows } = await sql<Row>`
    select changes.*, login from (${changes}) as changes join users on users.id = user_id
    order by at desc, kind, id desc limit ${perPage} offset ${page * perPage}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (${changes}) as changes`.execute(db);
  return {
    items: rows.map(itemOf),
    number: page,
    total: counted.rows[0]?.total ?? 0,
    created: await findCreated(db, question),
  };
}

function changesOf({ busId, day }: DayOfBus, { startMs, endMs }: DayRange) {
  return sql`
    select 'value' as kind, id, at, user_id, version, field, source, before, after,
      null::bigint as "fragmentId", null::int as door, null::timestamptz as "startAt",
      null::jsonb as "hadCounts", null::jsonb as "hasCounts"
    from calculation_changes where workplace_id = ${busId} and day = ${day}::date
    union all
    select 'count', audit_log.id, at, user_id, null, null, null, null, null,
      segments.id, case when cameras.counts then cameras.door end, start_time, before, after
    from cameras join segments on segments.camera_id = cameras.id
    join audit_log on object_type = 'segment' and object_id = segments.id::text
    where cameras.workplace_id = ${busId} and not cameras.live
      and start_time >= ${new Date(startMs)} and start_time < ${new Date(endMs)}
      and action = 'set_manual_counts'
      and after is distinct from coalesce(nullif(before, 'null'), ${NO_COUNTS}::jsonb)`;
}

const NO_COUNTS = JSON.stringify(Object.fromEntries(CountSide.options.map((side) => [side, null])));

function itemOf({ kind, id, at, login, ...row }: Row): History['items'][number] {
  const made = { id, at: at.toISOString(), by: login };
  if (kind === 'value') {
    const { version, field, source, before, after } = row;
    return { kind, ...made, version, field, source, before, after };
  }
  const { fragmentId, door, startAt, hadCounts, hasCounts } = row;
  const sides = CountSide.options.map((side) => {
    return { side, before: hadCounts?.[side] ?? null, after: hasCounts[side] ?? null };
  });
  return {
    ...{ kind, ...made, segment_id: fragmentId, door, time: startAt.toISOString() },
    sides: sides.filter(({ before, after }) => before !== after),
  };
}

async function findCreated(db: Db, question: DayOfBus): Promise<History['created']> {
  const record = await findDayRecord(db, question);
  if (!record.isStored) return null;
  // The values at first: what the first change of each replaced.
  const { rows } = await sql<{ field: CalculationField; before: string }>`
    select distinct on (field) field, before from calculation_changes
    where workplace_id = ${question.busId} and day = ${question.day}::date
      and field in ('fare', 'salary_percent', 'calculation_event')
    order by field, id`.execute(db);
  const { fare, salary_percent, calculation_event } = valuesOf(record);
  return {
    at: record.createdAt?.toISOString() ?? null,
    copied_from: record.copiedFrom,
    ...{ fare, salary_percent, calculation_event },
    ...Object.fromEntries(rows.map(({ field, before }) => [field, before])),
  };
}
