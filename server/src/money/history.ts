// Who changed which value of a day's record, when, and from what to what.
import type {
  CalculationChange,
  CalculationField,
  listCalculationChanges,
} from '@ridewatch/contract/calculation';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import type { DayOfBus } from '../days/day-records.ts';
import { findDayRecord, valuesOf } from './queries.ts';

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

interface Row {
  readonly id: number;
  readonly version: number;
  readonly field: CalculationField;
  readonly before: string | null;
  readonly after: string | null;
  readonly source: CalculationChange['source'];
  readonly at: Date;
  readonly login: string;
}

/**
 * A page of the changes of a day, the latest first, and how its record came to be.
 * @param page from 0
 */
export async function findHistory(
  db: Db,
  question: DayOfBus,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<ResponseOf<typeof listCalculationChanges>> {
  const { busId, day } = question;
  const rows = await db
    .selectFrom('calculation_changes')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['calculation_changes.id', 'version', 'field', 'before', 'after', 'source', 'at'])
    .select('login')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .orderBy('calculation_changes.id', 'desc')
    .limit(perPage)
    .offset(page * perPage)
    .execute();
  const { total } = await db
    .selectFrom('calculation_changes')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return {
    items: (rows as readonly Row[]).map(({ at, login, ...row }) => ({
      ...row,
      at: at.toISOString(),
      by: login,
    })),
    number: page,
    total,
    created: await findCreated(db, question),
  };
}

async function findCreated(
  db: Db,
  question: DayOfBus,
): Promise<ResponseOf<typeof listCalculationChanges>['created']> {
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
