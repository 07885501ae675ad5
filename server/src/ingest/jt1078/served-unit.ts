import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { sql } from 'kysely';
import { knownUnitOf, pastAssignmentsOf } from '../../access/unit-assignments.ts';
import type { Db } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';

/** A unit whose terminal is signed in, and the ways in which the terminal departs from the standard. */
export interface ServedUnit {
  readonly unit: KnownUnit;
  readonly settings: Jt808Settings;
}

/** The unit of a terminal by its id; undefined when it is switched off or has another protocol by now. */
export async function findServedUnit(db: Db, unitId: number): Promise<ServedUnit | undefined> {
  const [served] = await listServedUnits(db, [unitId]);
  return served;
}

/** The units of terminals by their ids, in any order; those are missing that are switched off or have another protocol. */
export async function listServedUnits(
  db: Db,
  unitIds: readonly number[],
): Promise<readonly ServedUnit[]> {
  const rows = await db
    .selectFrom('units')
    .select(['id as unitId', 'device_id as deviceId', 'workplace_id as busId', 'assigned_from'])
    .select(['protocol_settings', pastAssignmentsOf(sql.ref('units.id')).as('pastAssignments')])
    .where('id', '=', sql<number>`any(${[...unitIds]}::bigint[])`)
    .where('protocol', '=', 'jt808')
    .where('enabled', '=', true)
    .execute();
  return rows.map(({ protocol_settings: stored, ...row }) => ({
    unit: knownUnitOf(row),
    settings: Jt808Settings.parse(stored),
  }));
}
