// The unit of a planned bus. A spare one goes there by the rules of every other move.
import { sql } from 'kysely';
import { findUnit } from '../access/administration.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { insertUnit, type UnitIdentity } from '../fleet/fleet-rows.ts';
import { planMove } from './move-moment.ts';
import { lockBusesOfMove, moveUnit } from './move-unit.ts';
import { refuseTakenUnit } from './unit-ids.ts';

/** A unit that a plan puts into a bus. */
interface PlannedUnit {
  readonly deviceId: string;
  readonly busId: number;
  /** For a unit that has none. */
  readonly identity: UnitIdentity;
}

/**
 * Inserts a unit in its bus, or puts a spare one there: its first bus has all that it has sent.
 * @param field of the planned bus, for refusals
 * @param nowMs the present, ms since 1970 UTC
 * @returns the unit's id; undefined when it sits in a bus
 * @throws AppError conflict and invalid_request, also as `planMove` and `moveUnit`
 */
export async function seatUnit(
  tx: Tx,
  viewer: Viewer,
  planned: PlannedUnit,
  field: string,
  nowMs: number,
): Promise<number | undefined> {
  try {
    return await refuseTakenUnit(
      async () => (await insertUnit(tx, planned, nowMs)) ?? putSpare(tx, viewer, planned, nowMs),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.field === undefined) throw error;
    const { code, message, current } = error;
    const part = error.field === 'protocol_id' ? 'protocol_id' : 'device_id';
    throw new AppError(code, message, { field: `${field}.${part}`, current });
  }
}

async function putSpare(
  tx: Tx,
  viewer: Viewer,
  { deviceId, busId, identity }: PlannedUnit,
  nowMs: number,
): Promise<number | undefined> {
  // Somebody may have put it into another bus meanwhile.
  const spare = await tx
    .selectFrom('units')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('workplace_id', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (spare === undefined) return undefined;
  const { id } = spare;
  await lockBusesOfMove(tx, [busId]);
  // Either has both of them or none.
  await sql`update units set owner_id = null, protocol = coalesce(protocol, ${identity.protocol}),
      protocol_id = case when protocol is null then ${identity.protocol_id} else protocol_id end
    where id = ${id}`.execute(tx);
  const unit = await findUnit(tx, viewer, id);
  const move = await planMove(tx, viewer, unit, { busId, fromMs: undefined }, nowMs);
  if (move !== undefined) await moveUnit(tx, viewer, move);
  return id;
}
