import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { findKnownUnit } from '../../access/unit-assignments.ts';
import type { Db } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';

/** A unit whose terminal is signed in, and the ways in which the terminal departs from the standard. */
export interface ServedUnit {
  readonly unit: KnownUnit;
  readonly settings: Jt808Settings;
}

/** The unit of a terminal by its id; undefined when it is switched off or has another protocol by now. */
export async function findServedUnit(db: Db, unitId: number): Promise<ServedUnit | undefined> {
  const row = await db
    .selectFrom('units')
    .select('protocol_settings')
    .where('id', '=', unitId)
    .where('protocol', '=', 'jt808')
    .where('enabled', '=', true)
    .executeTakeFirst();
  const unit = row && (await findKnownUnit(db, unitId));
  return unit && { unit, settings: Jt808Settings.parse(row?.protocol_settings) };
}
