import type { Administered, UnitRow } from '../access/administration.ts';
import type { Tx } from '../core/db/db.ts';
import { lockRow } from './change.ts';

/**
 * Locks the row of a unit.
 * @param find finds the unit for the viewer; it is called again under the lock: the unit may have gone to foreign hands
 * @throws AppError of `find`
 */
export async function lockUnit(
  tx: Tx,
  find: () => Promise<Administered<UnitRow>>,
): Promise<Administered<UnitRow>> {
  const { id } = await find();
  await lockRow(tx, 'units', id);
  return find();
}
