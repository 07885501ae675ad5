// Hours in which a unit says more people than their sums hold: a device with a fault, or somebody who knows an id, invents
// them. Such people are refused: each batch that has some would fail, and nothing that came with them would be stored.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { hourPeople } from '../../counts/hours.ts';
import type { Sender } from './by-bus.ts';
import type { CheckedRecord, StoreRefusal } from './records.ts';

/** People of one kind, half of what a sum holds. */
const MOST_IN_HOUR = 2 ** 30;

/**
 * Separates people of hours that are full from other records. Call it when a sum was out of range.
 * @returns no record as `full` when that has another reason
 */
export async function partByFullHours(
  db: Db,
  { unit, busId }: Sender,
  records: readonly CheckedRecord[],
): Promise<{ readonly left: readonly CheckedRecord[]; readonly full: readonly CheckedRecord[] }> {
  const times = records.filter(isPeople).map(({ timeMs }) => new Date(timeMs));
  const { rows } = await sql<{ at: Date }>`
    select at from unnest(${times}::timestamptz[]) as at
    where exists (select from hourly_traffic
      where workplace_id = ${busId} and unit_id = ${unit.unitId} and greatest(${hourPeople}) > ${MOST_IN_HOUR}
        and hour_start > at - interval '1 hour' and hour_start <= at)`.execute(db);
  const fullMs = new Set(rows.map(({ at }) => at.getTime()));
  const isFull = (record: CheckedRecord): boolean => isPeople(record) && fullMs.has(record.timeMs);
  return {
    left: records.filter((record) => !isFull(record)),
    full: records.filter(isFull),
  };
}

const isPeople = ({ type }: CheckedRecord): boolean => type === 'passenger';

/** The refusal of people of a full hour. */
export function fullHourRefusal(record: CheckedRecord): StoreRefusal {
  const message = 'is in an hour with as many people as can be counted; does the counter work?';
  return { record, reason: 'too_dense', field: 'time', message };
}
